import { getLocation } from 'jsonc-parser';
import type { Span } from '../problem';
import { depthOf } from '../scan/jsonTree';
import { assistWords } from '../words/memberWords';
import { takesText } from './aboutShape';
import { previewMessages } from './preview';
import type { ConversationPreview } from './preview';
import { shapeAt } from '../shape';

/** What to show about the name or value under the pointer. */
export interface Description extends Span {
  /** For a member: its name, its purpose and what it accepts. */
  readonly member: { readonly name: string; readonly about: string; readonly takes: string } | undefined;
  /** The id, if the value is a model. */
  readonly model: string | undefined;
  readonly conversation: ConversationPreview | undefined;
}

const deepestLine = 500;

/** Returns `undefined` if there is nothing to show. `text` is one request, on one line or several, possibly invalid JSON. */
export function describeAt(text: string, offset: number): Description | undefined {
  if (depthOf(text) > deepestLine) return undefined;
  const { path, previousNode: node } = getLocation(text, offset);
  if (!node || offset < node.offset || offset > node.offset + node.length) return undefined;
  const span = { start: node.offset, end: node.offset + node.length };
  const name = path.at(-1);
  const isName = node.type === 'property';
  const model = !isName && shapeAt(path)?.isModel && typeof node.value === 'string' ? node.value : undefined;
  const conversation = conversationAt(text, path, isName);
  // A string explains itself, and a hover would hide what is below a long one; for a number, its bounds are useful.
  const member = isName || node.type === 'number' || node.type === 'boolean' ? memberAt(path) : undefined;
  if (typeof name !== 'string' || (!member && !model && !conversation)) return undefined;
  return { ...span, member, model, conversation };
}

function memberAt(path: readonly (string | number)[]): Description['member'] {
  const shape = shapeAt(path);
  const name = path.at(-1);
  if (!shape || typeof name !== 'string') return undefined;
  const isRequired = shapeAt(path.slice(0, -1))?.required?.includes(name);
  const takes = takesText(shape);
  return { name, about: shape.about(), takes: isRequired ? `${takes} ${assistWords.required()}` : takes };
}

/** Returns all messages for the name `messages`, or a single one for the name or value of its `content`. */
function conversationAt(
  text: string,
  path: readonly (string | number)[],
  isName: boolean,
): ConversationPreview | undefined {
  const [first, second, index, key] = path;
  if (first !== 'body' || second !== 'messages') return undefined;
  if (path.length === 2 && isName) return previewMessages(text);
  if (typeof index !== 'number' || key !== 'content') return undefined;
  return previewMessages(text, index);
}
