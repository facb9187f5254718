import type { ProblemCode } from '../problem';
import * as body from './lines/bodyFixes';
import { convertLine } from './lines/convertFix';
import * as envelope from './lines/envelopeFixes';
import { ownId } from './lines/idFixes';
import * as model from './lines/modelFixes';
import * as text from './lines/textFixes';
import type { FixStrategy } from './strategy';

const brokenLine: readonly FixStrategy[] = [
  text.unwrapCell,
  text.removeMark,
  text.splitRequests,
  text.closeLine,
  text.removeCommas,
  text.addComma,
  text.writeAsJson,
  text.escapeControls,
];

/** The fixes for each kind of problem, best first. Kinds not listed need the user's decision, or more than one line. */
const waysByCode: { readonly [Code in ProblemCode]?: readonly FixStrategy[] } = {
  'line.blank': [text.removeBlank],
  'line.not-json': brokenLine,
  'line.duplicate-key': [envelope.removeDuplicate],
  'line.unknown-member': [body.otherName, envelope.moveIntoBody, envelope.removeUnknown],
  'line.lone-surrogate': [text.removeHalf],
  'custom-id.missing': [ownId],
  'custom-id.not-string': [ownId],
  'custom-id.empty': [ownId],
  'custom-id.duplicate': [ownId],
  'method.missing': [envelope.addMethodAndUrl],
  'method.not-post': [envelope.setMethodAndUrl],
  'url.missing': [envelope.addMethodAndUrl],
  'url.unknown': [convertLine, envelope.setMethodAndUrl],
  'url.mixed': [envelope.firstUrl],
  'body.missing': [convertLine],
  'body.not-object': [body.unwrapBody],
  'model.missing': [model.addModel],
  'model.mixed': [model.firstModel],
  'model.invalid': [model.addModel],
  'model.unknown': [model.nearestModel],
  'model.not-chat': [model.nearestModel],
  'messages.missing': [body.promptToMessages, convertLine],
  'messages.not-array': [body.toMessageArray],
  'message.not-object': [body.textToMessage],
  'message.no-role': [body.addRole],
  'message.unknown-role': [body.knownRole],
  'message.no-content': [body.renameContent],
  'member.wrong-type': [body.writeAsType],
  'member.wrong-value': [body.nearestValue],
  'body.unknown-member': [body.nearestName, envelope.removeUnknown],
  'body.other-endpoint': [body.otherName],
  'parameter.not-for-model': [body.otherName, envelope.removeRejected],
  'message.part-type': [body.partAsChat],
  'media.not-base64': [body.withoutPythonBytes],
  'stream.ignored': [envelope.removeStream],
  // Last, because it makes two lines of one.
  'file.no-final-newline': [text.addFinalNewline],
};

const noWays: readonly FixStrategy[] = [];

export function waysFor(code: ProblemCode): readonly FixStrategy[] {
  return waysByCode[code] ?? noWays;
}

/** Returns the kinds of problems `way` fixes. */
export function codesOf(way: FixStrategy): ReadonlySet<ProblemCode> {
  const entries = Object.entries(waysByCode) as readonly [ProblemCode, readonly FixStrategy[]][];
  return new Set(entries.flatMap(([code, ways]) => (ways.includes(way) ? [code] : [])));
}

/** The fixes that do not change the content of a request. */
export const safeWays: readonly FixStrategy[] = [...new Set(Object.values(waysByCode).flat())].filter(
  ({ isSafe }) => isSafe,
);
