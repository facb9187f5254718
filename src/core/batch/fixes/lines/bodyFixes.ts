import { roles } from '../../limits';
import type { JsonMember, JsonNode } from '../../scan/jsonTree';
import { member, readJson } from '../../scan/jsonTree';
import { fixAllWords, fixWords } from '../../words/fixWords';
import { insertEdit, memberAt, nodeFrom, replaceEdit } from '../jsonEdits';
import type { QuickFix, FixStrategy } from '../strategy';
import { compact } from '../values';

/** A body that was encoded as JSON twice. */
export const unwrapBody: FixStrategy = {
  allTitle: fixAllWords.unwrapBodies,
  reveals: true,
  *fixes({ root, problem: { span } }) {
    const text = root && memberAt(root, span)?.member.value.value;
    if (typeof text !== 'string' || readJson(text).root?.kind !== 'object') return;
    yield { title: fixWords.unwrapBody(), edits: [replaceEdit(span, compact(text))] };
  },
};

const userMessage = (content: string): string => `{"role":"user","content":${content}}`;
const raw = (text: string, { start, end }: JsonNode): string => text.slice(start, end);

/** Older APIs take a prompt string where chat APIs take messages. */
export const promptToMessages: FixStrategy = {
  allTitle: fixAllWords.toMessages,
  *fixes({ text, root }) {
    const body = member(root, 'body')?.value;
    const prompt = member(body, 'prompt');
    if (prompt?.value.kind !== 'string') return;
    const edits = [
      replaceEdit(prompt.keySpan, '"messages"'),
      replaceEdit(prompt.value, `[${userMessage(raw(text, prompt.value))}]`),
    ];
    yield { title: fixWords.toMessages(prompt.key), edits };
  },
};

export const toMessageArray: FixStrategy = {
  reveals: true,
  *fixes({ text, root, problem: { span } }) {
    const value = root && memberAt(root, span)?.member.value;
    if (value?.kind === 'string') {
      yield { title: fixWords.toMessage(), edits: [replaceEdit(span, `[${userMessage(raw(text, value))}]`)] };
    } else if (value?.kind === 'object') {
      yield { title: fixWords.toArray(), edits: [replaceEdit(span, `[${raw(text, value)}]`)] };
    }
  },
};

export const textToMessage: FixStrategy = {
  *fixes({ text, problem: { span } }) {
    const written = text.slice(span.start, span.end);
    if (written.startsWith('"'))
      yield { title: fixWords.toMessage(), edits: [replaceEdit(span, userMessage(written))] };
  },
};

export const addRole: FixStrategy = {
  isChoice: true,
  *fixes({ text, root, problem }) {
    const message = root && nodeFrom(root, problem.span.start);
    if (message?.kind !== 'object') return;
    for (const role of ['user', 'assistant', 'system']) {
      const value = JSON.stringify(role);
      yield { title: fixWords.addMember('role', value), edits: [insertEdit(text, message, { key: 'role', value })] };
    }
  },
};

/** Names of the roles in other services and data sets. */
const otherRoles: ReadonlyMap<string, (typeof roles)[number]> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['bot', 'assistant'],
  ['gpt', 'assistant'],
  ['model', 'assistant'],
  ['developer', 'system'],
]);

export const knownRole: FixStrategy = {
  allTitle: fixAllWords.roles,
  *fixes({ root, problem: { span } }) {
    const found = root && memberAt(root, span)?.member.value.value;
    if (typeof found !== 'string') return;
    const plain = found.trim().toLowerCase();
    const role = otherRoles.get(plain) ?? roles.find((one) => one === plain);
    if (role) yield { title: fixWords.setRole(role, found), edits: [replaceEdit(span, JSON.stringify(role))] };
  },
};

/** Other names for the content of a message. */
const otherContents = ['text', 'value', 'message'];

export const renameContent: FixStrategy = {
  *fixes({ root, problem }) {
    const message = root && nodeFrom(root, problem.span.start);
    const said = otherContents.map((name) => member(message, name)).find((one) => one?.value.kind === 'string');
    if (!said) return;
    yield { title: fixWords.renameMember(said.key, 'content'), edits: [replaceEdit(said.keySpan, '"content"')] };
  },
};

/** The accepted values that are most similar to the current one. */
export const nearestValue: FixStrategy = {
  *fixes({ problem: { span, suggestions = [] } }) {
    for (const value of suggestions.map((one) => JSON.stringify(one))) {
      yield { title: fixWords.writeAs(value), edits: [replaceEdit(span, value)] };
    }
  },
};

/** A mistyped parameter name. */
export const nearestName: FixStrategy = {
  allTitle: fixAllWords.nearestNames,
  reveals: true,
  *fixes({ root, problem: { span, suggestions = [] } }) {
    const found = root && memberAt(root, span);
    const [name] = suggestions;
    if (!found || name === undefined || member(found.object, name)) return;
    const edits = [replaceEdit(found.member.keySpan, JSON.stringify(name))];
    yield { title: fixWords.renameMember(found.member.key, name), edits };
  },
};

/** The same content under the name that the endpoint or the model takes. */
export const otherName: FixStrategy = { allTitle: fixAllWords.nearestNames, fixes: nearestName.fixes };

/** A content part as another API writes it: a text under another type, or an image by its address. */
export const partAsChat: FixStrategy = {
  allTitle: fixAllWords.parts,
  *fixes({ text, root, problem: { span, suggestions: [type] = [] } }) {
    const part = root && memberAt(root, span)?.object;
    if (!part || type === undefined) return;
    const title = fixWords.writeAs(JSON.stringify(type));
    const source = ['image', 'image_url', 'url'].map((name) => member(part, name)?.value);
    const image = source.find((value) => value?.kind === 'string');
    if (type === 'image_url' && image) {
      const written = `{"type":"image_url","image_url":{"url":${raw(text, image)}}}`;
      yield { title, edits: [replaceEdit(part, written)] };
    } else yield { title, edits: [replaceEdit(span, JSON.stringify(type))] };
  },
};

/** The Python notation around bytes. */
const pythonBytes = /;base64,b'([^']*)'/;

export const withoutPythonBytes: FixStrategy = {
  allTitle: fixAllWords.pythonBytes,
  *fixes({ text, problem: { span } }) {
    const written = text.slice(span.start, span.end);
    const fixed = written.replace(pythonBytes, ';base64,$1');
    if (fixed !== written) yield { title: fixWords.withoutPythonBytes(), edits: [replaceEdit(span, fixed)] };
  },
};

/** A number or boolean in quotes, or a string without them. The value stays as written; other rules check whether it then fits. */
export const writeAsType: FixStrategy = {
  allTitle: fixAllWords.writeValues,
  *fixes({ text, root, problem: { span } }) {
    const value = root && memberAt(root, span)?.member.value;
    if (value && value.start === span.start) yield* otherForm(text, value);
  },
};

function* otherForm(text: string, value: JsonMember['value']): Iterable<QuickFix> {
  const written = raw(text, value);
  const isPlain = value.kind === 'number' || value.kind === 'boolean';
  const expected = isPlain ? JSON.stringify(written) : unquoted(value);
  if (expected !== undefined) yield { title: fixWords.writeAs(expected), edits: [replaceEdit(value, expected)] };
}

function unquoted({ value }: JsonNode): string | undefined {
  if (typeof value !== 'string') return undefined;
  const plain = value.trim();
  const kind = readJson(plain).root?.kind;
  return kind === 'number' || kind === 'boolean' ? plain : undefined;
}
