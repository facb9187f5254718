import { createContext, Script } from 'node:vm';

/** Only the engine itself can stop an expression with catastrophic backtracking: as a script with a time limit. */
const script = new Script(
  `(() => { const { source, flags, text } = job; return new RegExp(source, flags).test(text); })()`,
);
const job = { source: '', flags: '', text: '' };
let context: ReturnType<typeof createContext> | undefined;

/** Without a quantified group and with at most one quantifier, the time grows with the square of the text at most. */
const isSimple = (source: string) => !/\)[*+?{]|\\[1-9k]/.test(source) && (source.match(/[*+{]/g) ?? []).length <= 1;
const shortText = 4000;

/** Whether a pattern of an eval file matches a text. `slow` if that takes longer than `timeoutMs`, `invalid` for an invalid pattern. */
export function matches(source: string, text: string, flags = '', timeoutMs = 200): boolean | 'slow' | 'invalid' {
  try {
    if (isSimple(source) && text.length <= shortText) return new RegExp(source, flags).test(text);
    Object.assign(job, { source, flags, text });
    context ??= createContext({ job });
    return script.runInContext(context, { timeout: timeoutMs }) as boolean;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'slow' : 'invalid';
  } finally {
    job.text = '';
  }
}
