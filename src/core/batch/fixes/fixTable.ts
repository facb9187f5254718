import type { ProblemCode } from '../problem';
import * as body from './lines/bodyWays';
import { convertLine } from './lines/convertWay';
import * as envelope from './lines/envelopeWays';
import { ownId } from './lines/idWays';
import * as model from './lines/modelWays';
import * as text from './lines/textWays';
import type { Way } from './way';

const brokenLine: readonly Way[] = [
  text.removeMark,
  text.splitRequests,
  text.closeLine,
  text.removeCommas,
  text.addComma,
  text.writeAsJson,
  text.escapeControls,
];

/** What mends each kind of problem, best first. Kinds that are not named need a person's mind, or more than one line. */
const waysByCode: { readonly [Code in ProblemCode]?: readonly Way[] } = {
  'line.blank': [text.removeBlank],
  'line.not-json': brokenLine,
  'line.duplicate-key': [envelope.removeDuplicate],
  'line.unknown-member': [envelope.moveIntoBody, envelope.removeUnknown],
  'line.lone-surrogate': [text.removeHalf],
  'custom-id.missing': [ownId],
  'custom-id.not-string': [ownId],
  'custom-id.empty': [ownId],
  'custom-id.duplicate': [ownId],
  'method.missing': [envelope.addMethodAndUrl],
  'method.not-post': [envelope.setMethodAndUrl],
  'url.missing': [envelope.addMethodAndUrl],
  'url.unknown': [convertLine, envelope.setMethodAndUrl],
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
  'stream.ignored': [envelope.removeStream],
  // Last: it makes two lines of one.
  'file.no-final-newline': [text.addFinalNewline],
};

const noWays: readonly Way[] = [];

export function waysFor(code: ProblemCode): readonly Way[] {
  return waysByCode[code] ?? noWays;
}

/** The kinds of problems a way mends. */
export function codesOf(way: Way): ReadonlySet<ProblemCode> {
  const entries = Object.entries(waysByCode) as readonly [ProblemCode, readonly Way[]][];
  return new Set(entries.flatMap(([code, ways]) => (ways.includes(way) ? [code] : [])));
}

/** Those that change nothing a request says. */
export const safeWays: readonly Way[] = [...new Set(Object.values(waysByCode).flat())].filter(({ isSafe }) => isSafe);
