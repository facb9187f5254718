import * as l10n from '@vscode/l10n';
import { shown } from './shown';

/** Returns why a text is not JSON, by the parser's name for the error. */
export function faultWords(name: string): string {
  switch (name) {
    case 'CsvCell':
      return l10n.t('This line is a quoted CSV cell.');
    case 'TrailingComma':
      return l10n.t("JSON doesn't allow a trailing comma.");
    case 'SingleQuotes':
      return l10n.t('JSON requires double quotes.');
    case 'CurlyQuotes':
      return l10n.t('JSON requires straight double quotes.');
    case 'InvisibleCharacter':
      return l10n.t('Invisible character. Delete it.');
    case 'OtherWord':
      return l10n.t('Invalid JSON value. Use true, false, or null.');
    case 'PropertyNameExpected':
      return l10n.t('Expected a property name in double quotes.');
    case 'ValueExpected':
      return l10n.t('Expected a value.');
    case 'ColonExpected':
      return l10n.t('Expected a colon.');
    case 'CommaExpected':
      return l10n.t('Expected a comma.');
    case 'CloseBraceExpected':
      return l10n.t('Expected a closing brace.');
    case 'CloseBracketExpected':
      return l10n.t('Expected a closing bracket.');
    case 'EndOfFileExpected':
      return l10n.t('Unexpected text after the request.');
    case 'InvalidCommentToken':
    case 'UnexpectedEndOfComment':
      return l10n.t("JSON doesn't support comments.");
    case 'UnexpectedEndOfString':
      return l10n.t('Expected a closing double quote. Write a line break as \\n.');
    case 'InvalidNumberFormat':
    case 'UnexpectedEndOfNumber':
      return l10n.t('Invalid JSON number.');
    case 'InvalidUnicode':
      return l10n.t('\\u requires four hexadecimal digits.');
    case 'InvalidEscapeCharacter':
      return l10n.t('Invalid escape sequence. Write a backslash as \\\\.');
    case 'InvalidCharacter':
      return l10n.t('Unescaped control character. Write it as \\n or \\t, for example.');
    default:
      return l10n.t('Invalid JSON. Quote strings and property names, and write true, false, and null in lowercase.');
  }
}

export const lineWords = {
  blank: () => l10n.t('Remove this blank line.'),
  notUtf8: () => l10n.t('Invalid UTF-8. Save the file as UTF-8.'),
  tooLong: (most: string) => l10n.t('Not checked. The line is longer than {0}.', most),
  notObject: () => l10n.t('Expected an object: {"custom_id": …, "method": "POST", "url": …, "body": {…}}.'),
  duplicateKey: (key: string) => l10n.t('Duplicate property "{0}". Only the last one is used.', shown(key)),
  unknownMember: (key: string) =>
    l10n.t('Unknown property "{0}" is ignored. Put model parameters in "body".', shown(key)),
  unknownMemberNear: (key: string, near: string) =>
    l10n.t('Unknown property "{0}" is ignored. Did you mean "{1}"?', shown(key), near),
  tooLarge: (most: string) => l10n.t("The line exceeds the service's limit of {0}.", most),
  tooDeep: (most: number) => l10n.t("Nesting deeper than {0} levels isn't checked.", most),
  loneSurrogate: () => l10n.t('Incomplete character. Complete or remove the surrogate pair.'),
  /** `count` is at least 2. */
  moreProblems: (count: number) => l10n.t('{0} more problems in this line.', count),
  secret: () => l10n.t("This looks like a key. Remove it. If you've shared the file, revoke it."),
};

export const envelopeWords = {
  idMissing: () => l10n.t('"custom_id" is missing. Each request needs a unique ID.'),
  idNotString: () => l10n.t('"{0}" must be {1}.', 'custom_id', l10n.t('a string')),
  idEmpty: () => l10n.t('"custom_id" is empty. Each request needs a unique ID.'),
  idDuplicate: (id: string, line: number) => l10n.t('Line {1} already has the custom_id "{0}".', shown(id), line),
  idLong: (most: number) => l10n.t('This custom_id is longer than {0} characters.', most),
  methodMissing: (method: string) => l10n.t('"{0}" is missing. The service uses "{1}".', 'method', method),
  methodNotPost: (method: string) => l10n.t('"{0}" must be "{1}".', 'method', method),
  urlMissing: (url: string) => l10n.t('"{0}" is missing. The service uses "{1}".', 'url', url),
  idForm: () => l10n.t('"custom_id" is limited to 64 letters, digits, hyphens, and underscores.'),
  /** `name` is that of the missing property, `near` one that it may be written under. */
  required: (name: string, service: string) => l10n.t('"{0}" is missing. {1} requires it.', name, service),
  requiredNear: (name: string, service: string, near: string) =>
    l10n.t('"{0}" is missing. {1} requires it. Should "{2}" be "{0}"?', name, service, shown(near)),
  missing: (name: string, expected: string) => l10n.t('"{0}" is missing. Add "{1}".', name, expected),
  missingNear: (name: string, near: string) => l10n.t('"{0}" is missing. Should "{1}" be "{0}"?', name, shown(near)),
  urlUnlisted: (url: string) => l10n.t('"{0}" isn\'t a known batch endpoint.', shown(url)),
  urlMixed: (url: string, first: string) =>
    l10n.t('A batch has only one endpoint. The first line uses "{1}", not "{0}".', shown(url), shown(first)),
  urlUnknown: (url: string) => l10n.t('"url" must be "{0}" in a batch.', url),
  bodyMissing: (name: string) => l10n.t('"{0}" is missing. Add the model and messages.', name),
  bodyNotObject: (name: string) => l10n.t('"{0}" must be an object with the model and messages.', name),
};

/** More names would only hide the first ones. */
const mostTypes = 6;

export const bodyWords = {
  modelMissing: () => l10n.t('"model" is missing. Add it, or choose a model when you submit the batch.'),
  modelMixed: (model: string, first: string) =>
    l10n.t('A batch has only one model. The first line uses "{1}", not "{0}".', shown(model), shown(first)),
  modelNotChat: (model: string) => l10n.t('"{0}" isn\'t a chat model. Batches only support chat models.', shown(model)),
  modelNotChatNearest: (model: string, nearest: string) =>
    l10n.t('"{0}" isn\'t a chat model. Batches only support chat models. Similar: {1}.', shown(model), nearest),
  modelNotFor: (model: string, url: string) => l10n.t('"{0}" doesn\'t support "{1}".', shown(model), shown(url)),
  modelUnknown: (model: string) => l10n.t('Unknown model "{0}".', shown(model)),
  modelUnknownNearest: (model: string, nearest: string) =>
    l10n.t('Unknown model "{0}". Similar: {1}.', shown(model), nearest),
  messagesMissing: () => l10n.t('"messages" is missing. Add an array with a user message at the end.'),
  messagesNotArray: () => l10n.t('"messages" must be an array of objects.'),
  messagesEmpty: () => l10n.t('"messages" is empty. Add a user message.'),
  lastNotUser: () => l10n.t('The last message must be a user message.'),
  messageNotObject: () => l10n.t('A message must have "role" and "content".'),
  noRole: () => l10n.t('"role" is missing: "system", "user", "assistant", or "tool".'),
  unknownRole: (role: string) =>
    l10n.t('Unknown role "{0}". Use "system", "user", "assistant", or "tool".', shown(role)),
  noContent: () => l10n.t('"content" is missing.'),
  toolWithoutCall: () => l10n.t('"tool_call_id" doesn\'t match an earlier tool call.'),
  callUnanswered: () => l10n.t('This tool call has no result. Add a "tool" message.'),
  unknownRoleOfMessages: (role: string) => l10n.t('Unknown role "{0}". Use "user" or "assistant".', shown(role)),
  emptyMessage: () => l10n.t('Empty message. The service might reject it.'),
  unfilled: (name: string) => l10n.t('Unfilled placeholder "{0}" will be sent as text.', shown(name)),
  wrongType: (name: string, expected: string) => l10n.t('"{0}" must be {1}.', name, expected),
  outOfBounds: (name: string, bounds: string) => l10n.t('"{0}" must be {1}.', name, bounds),
  unusual: (name: string, bounds: string) => l10n.t('"{0}" should be {1}.', name, bounds),
  emptyText: (name: string) => l10n.t('"{0}" is empty.', name),
  longText: (name: string, most: number) => l10n.t('"{0}" can have up to {1} characters.', name, most),
  tooMany: (name: string, most: number) => l10n.t('"{0}" can have up to {1} items.', name, most),
  otherValue: (name: string, [first = '', ...others]: readonly string[]) =>
    others.length === 0
      ? l10n.t('"{0}" must be "{1}".', name, first)
      : l10n.t('"{0}" must be one of: {1}.', name, [first, ...others].map((value) => `"${value}"`).join(', ')),
  memberMissing: (name: string) => l10n.t('"{0}" is missing.', name),
  unknownMember: (name: string) => l10n.t('The service rejects the unknown parameter "{0}".', shown(name)),
  unknownMemberNearest: (name: string, nearest: string) =>
    l10n.t('Unknown parameter "{0}". Did you mean "{1}"?', shown(name), nearest),
  unlistedMember: (name: string) => l10n.t('Undocumented parameter "{0}". The service might reject it.', shown(name)),
  otherEndpoint: (url: string, name: string, own: string) =>
    own === ''
      ? l10n.t('{0} doesn\'t accept "{1}".', shown(url), name)
      : l10n.t('{0} accepts "{2}" instead of "{1}".', shown(url), name, own),
  partType: (type: string, types: readonly string[], near: string | undefined) => {
    const all = types.slice(0, mostTypes).map((one) => `"${one}"`);
    return near === undefined
      ? l10n.t('Unsupported content type "{0}". Use {1}.', shown(type), all.join(', '))
      : l10n.t('Unsupported content type "{0}". Did you mean "{2}"? Use {1}.', shown(type), all.join(', '), near);
  },
  mediaLocal: (address: string) =>
    l10n.t('The service can\'t read the local file "{0}". Use a web URL or a data: URL.', shown(address)),
  mediaInline: () => l10n.t('In batches, this service accepts only web URLs.'),
  mediaPython: () => l10n.t("Invalid base64. Remove the Python b'…' wrapper."),
  mediaWithHead: () => l10n.t('Remove the data: header. This property accepts only base64.'),
  mediaEmpty: () => l10n.t('This data: URL contains no data.'),
  mediaBroken: () => l10n.t('Invalid or truncated base64.'),
  mediaBare: () => l10n.t('Missing data: header, such as data:image/png;base64,.'),
  mediaHead: () => l10n.t('Invalid data: URL. Start it with data:image/png;base64, for example.'),
  noSchema: () => l10n.t('"json_schema" requires a schema.'),
  noJsonWord: () => l10n.t('JSON mode requires the word JSON in a message.'),
  notForModel: (name: string, own: string, model: string) =>
    l10n.t('"{2}" rejects "{0}". Use "{1}" instead.', name, own, shown(model)),
  rejectedByModel: (name: string, model: string) => l10n.t('"{1}" rejects "{0}". Remove it.', name, shown(model)),
  rejectedByService: (name: string, service: string) => l10n.t('{1} rejects "{0}". Remove it.', name, service),
  wrongName: (name: string) => l10n.t('"{0}" can have up to 64 letters, digits, hyphens, and underscores.', name),
  emptyTools: () => l10n.t('"tools" is empty. Add a tool, or remove it.'),
  needsOption: (name: string, other: string) => l10n.t('"{0}" requires "{1}": true.', name, other),
  onlyOne: (name: string, other: string) => l10n.t('Use "{0}" or "{1}", not both.', name, other),
  strictRoot: () => l10n.t('A strict schema must have the type "object".'),
  strictOpen: () => l10n.t('Strict schemas require "additionalProperties": false in each object.'),
  strictOptional: (name: string) =>
    l10n.t('All properties of a strict schema must be required. Add "{0}" to "required".', shown(name)),
  mediaType: (types: readonly string[]) => l10n.t('Unsupported image format. Use {0}.', types.join(', ')),
  mediaPrivate: (address: string) =>
    l10n.t('The service can\'t reach "{0}". Use a public URL or a data: URL.', shown(address)),
  trailingSpace: () => l10n.t("The last assistant message can't end with whitespace."),
  otherTool: (name: string) => l10n.t('"tools" doesn\'t contain "{0}".', shown(name)),
  withoutTools: (name: string) => l10n.t('"{0}" requires "tools".', name),
  thinkingBudget: () => l10n.t('"max_tokens" must be greater than "budget_tokens".'),
  beyondContext: (tokens: string, most: string) =>
    l10n.t('Too long for the model. Estimated tokens: {0}. Limit: {1}.', tokens, most),
  beyondModel: (most: string) => l10n.t("This exceeds the model's output limit ({0}).", most),
  streamIgnored: () => l10n.t('"stream" has no effect in a batch.'),
};

export const kindWords = {
  object: () => l10n.t('an object'),
  array: () => l10n.t('an array'),
  string: () => l10n.t('a string'),
  number: () => l10n.t('a number'),
  boolean: () => l10n.t('true or false'),
  null: () => l10n.t('null'),
};

export const boundWords = {
  between: (min: number, max: number) => l10n.t('a number from {0} to {1}', min, max),
  wholeBetween: (min: number, max: number) => l10n.t('a whole number from {0} to {1}', min, max),
  wholeFrom: (min: number) => l10n.t('a whole number of {0} or more', min),
  whole: () => l10n.t('a whole number'),
  either: (first: string, second: string) => l10n.t('{0} or {1}', first, second),
};

export const fileWords = {
  /** Says whose rules a file is checked by. `service`: empty if no rules are known. */
  checkedFor: (service: string) =>
    service === '' ? l10n.t('Checked with general rules') : l10n.t('Checked for {0}', service),
  empty: () => l10n.t('The file has no requests.'),
  array: () => l10n.t('Put one request per line, without an array.'),
  spread: () => l10n.t('Put each request on a single line.'),
  bom: () => l10n.t('The file starts with a byte-order mark.'),
  notText: () => l10n.t("Not checked. The file isn't UTF-8."),
  compressed: (format: string) => l10n.t('The file is compressed ({0}). Decompress it first.', format),
  tooManyRequests: (most: string) => l10n.t('This line exceeds the limit of {0} requests. Split the file.', most),
  tooLarge: (most: string) => l10n.t("The file exceeds the service's limit of {0}. Split the file.", most),
  partsByRequests: (most: string) =>
    l10n.t("The file exceeds the limit of {0} requests per batch, so it's submitted in parts.", most),
  partsBySize: (most: string) =>
    l10n.t("The file exceeds the limit of {0} per batch, so it's submitted in parts.", most),
  name: (ending: string) =>
    l10n.t('The service requires the file extension "{0}". It\'s added when you submit the file.', ending),
  nameElsewhere: (ending: string) => l10n.t('Most services require the file extension "{0}".', ending),
  noFinalNewline: () => l10n.t('No line break at the end of the file.'),
  crlf: () => l10n.t('Services expect LF line endings, not CRLF.'),
  loneCr: () => l10n.t("This line doesn't end with LF."),
};
