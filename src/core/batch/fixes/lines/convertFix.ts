import { member } from '../../scan/jsonTree';
import { fixAllWords, fixWords } from '../../words/fixWords';
import { toRequest } from '../foreign/toRequest';
import { replaceEdit } from '../jsonEdits';
import type { Target, FixStrategy } from '../strategy';

/** A line in another service's format, or a bare request body. */
export const convertLine: FixStrategy = {
  allTitle: fixAllWords.convert,
  reveals: true,
  *fixes(target) {
    const { text, problem, file } = target;
    if (isNearlyOurs(target)) return;
    const converted = toRequest(text, { ...file, model: file.model, id: `request-${problem.line + 1}` });
    if (!converted) return;
    const edits = [replaceEdit({ start: 0, end: text.length }, converted.text)];
    yield { title: fixWords.convert(converted.leftOut), edits };
  },
};

/** Whether the line is a chat request for which correcting the URL or a name is enough. */
function isNearlyOurs({ root, problem: { code } }: Target): boolean {
  const url = member(root, 'url')?.value.value;
  const body = member(root, 'body')?.value;
  if (code === 'messages.missing') return member(body, 'prompt')?.value.kind === 'string';
  const isAnthropic = typeof url === 'string' && url.endsWith('/v1/messages');
  return code === 'url.unknown' && member(body, 'messages') !== undefined && !isAnthropic;
}
