import { useTranslations } from '../core/text/useTranslations';
import { runCheck } from './runCheck';
import { readTranslations, systemLanguage } from './systemLanguage';

process.stdout.on('error', () => process.exit(2));
useTranslations(await readTranslations(import.meta.dirname, systemLanguage(process.env)));
process.exitCode = await runCheck(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
