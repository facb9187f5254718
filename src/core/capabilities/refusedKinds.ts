import type { Refusal } from '../parameters/refusal';

/** Too many items, or a kind or mix that is refused: fewer or others may well be accepted. */
const aboutAmount = /\bat most\b|\btoo many\b|\bmaximum\b|\bmore than\b|\bup to\b|\bonly \d|\bexceed/i;

const aboutSomeTools =
  /tool[_ -]choice|tools?\[|tool_calls?\b|tool_use|schema|keyword|\b(?:tool|function)s? names?\b|parallel|strict|stream|thinking|\btypes?\b|\bwhen\b|\bwhile\b|together|combin/i;

const toolWords = String.raw`(?:tools|functions?[ _-]?call\w*|functions|tool[ -](?:use|call\w*))\b`;
const takenWords = String.raw`(?:support|accept|allow|take|handle)`;
const toolRefusals: readonly RegExp[] = [
  new RegExp(
    String.raw`(?:\bnot|n['’]t|\bcannot|\bunable to) ${takenWords} (?:the |any |use of |parameter |field )*[\x60'"]?${toolWords}`,
    'i',
  ),
  new RegExp(String.raw`\b${takenWords}s? no ${toolWords}`, 'i'),
  new RegExp(
    String.raw`(?:^|[.:;,] )(?:the |use of |parameter )*[\x60'"]?${toolWords}[\x60'"]? (?:is|are) (?:not |un)(?:supported|accepted|allowed|available)`,
    'i',
  ),
  /\b(?:unsupported|unknown|unexpected) (?:parameter|field|argument)s?:? [`'"]?tools\b/i,
];

/** Whether the model takes no tools at all; a refusal of one tool, or of how it is to be called, does not count. */
export function refusesTools({ parameter, message }: Refusal): boolean {
  if (aboutAmount.test(message) || aboutSomeTools.test(message)) return false;
  if (parameter === 'tools') return true;
  return !parameter?.startsWith('tool') && toolRefusals.some((words) => words.test(message));
}

/** Independent of the parameter, which names what an image is sent in. */
const aboutImages = /\b(images?|image_url|vision|multi-?modal|pictures?)\b/i;
const refusing = /\b(?:can)?not\b|n['’]t\b|unsupported|\bonly\b|\bno\b|unknown/i;
const aboutSomeImages =
  /\bsiz|exceed|large|\bsmall|\d ?[MK]i?B\b|\bMB\b|megabyte|pixel|dimension|resolution|\bwidth|\bheight|format|\bpng\b|jpe?g|decod|base64|corrupt|animat|\bgif\b|\bvalid\b|\binvalid (?!content)|\bprocess|\bload|\bopen|could not|fail|unable|empty|polic|safe|violat|media_type|mime|download|fetch|\d+ (?:images?|pictures?)|number of (?:images|pictures)/i;

/** Whether the model takes no images; a refusal of one image, or of their number, does not count. */
export function refusesImages({ message }: Refusal): boolean {
  if (aboutAmount.test(message) || aboutSomeImages.test(message)) return false;
  return aboutImages.test(message) && refusing.test(message);
}
