import { useTranslations } from '../core/text/useTranslations';
import { runEvalCommand } from './eval/runEvalCommand';
import { readTranslations, systemLanguage } from './systemLanguage';

process.stdout.on('error', () => process.exit(3));
const language = systemLanguage(process.env);
useTranslations(await readTranslations(import.meta.dirname, language));
process.exitCode = await runEvalCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  variables: process.env,
  language,
});
