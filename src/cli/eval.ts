import { createInterface } from 'node:readline/promises';
import { visibleText } from '../core/text/foreignText';
import { useTranslations } from '../core/text/useTranslations';
import { runEvalCommand } from './eval/runEvalCommand';
import { readTranslations, systemLanguage } from './systemLanguage';

process.stdout.on('error', () => process.exit(3));
const language = systemLanguage(process.env);
useTranslations(await readTranslations(import.meta.dirname, language));
process.exitCode = await runEvalCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(visibleText(text)),
  err: (text) => process.stderr.write(visibleText(text)),
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
  variables: process.env,
  language,
});

async function ask(question: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question, { signal });
  } finally {
    terminal.close();
  }
}
