import * as l10n from '@vscode/l10n';
import { shown } from './shown';

/** Returns why a text is not JSON, by the parser's name for the error. */
export function faultWords(name: string): string {
  switch (name) {
    case 'CsvCell':
      return l10n.t('This line is a CSV cell. It is in quotes, and the quotes in it are doubled.');
    case 'TrailingComma':
      return l10n.t('This trailing comma is too much: in JSON none follows the last value.');
    case 'SingleQuotes':
      return l10n.t('JSON has no single quotes. Texts and names stand in double quotes.');
    case 'OtherWord':
      return l10n.t('JSON has no such word. It writes true, false and null.');
    case 'PropertyNameExpected':
      return l10n.t('A name in double quotes is missing here.');
    case 'ValueExpected':
      return l10n.t('A value is missing here.');
    case 'ColonExpected':
      return l10n.t('Expected a colon.');
    case 'CommaExpected':
      return l10n.t('Expected a comma.');
    case 'CloseBraceExpected':
      return l10n.t(
        'A closing brace is missing: the line ends within an object. Close it, or look whether the line was cut off.',
      );
    case 'CloseBracketExpected':
      return l10n.t(
        'A closing bracket is missing: the line ends within an array. Close it, or look whether the line was cut off.',
      );
    case 'EndOfFileExpected':
      return l10n.t('Something follows the request. Write each request in a line of its own.');
    case 'InvalidCommentToken':
    case 'UnexpectedEndOfComment':
      return l10n.t('JSON has no comments. Remove it.');
    case 'UnexpectedEndOfString':
      return l10n.t('This text is not ended by a double quote. A line break in it is written \\n.');
    case 'InvalidNumberFormat':
    case 'UnexpectedEndOfNumber':
      return l10n.t('This is not a number as JSON writes it.');
    case 'InvalidUnicode':
      return l10n.t('\\u needs four hexadecimal digits.');
    case 'InvalidEscapeCharacter':
      return l10n.t('JSON knows no such escape. A backslash is written \\\\.');
    case 'InvalidCharacter':
      return l10n.t('A control character stands in the text. Write it as an escape, e.g. \\n or \\t.');
    default:
      return l10n.t('This is not JSON. Texts and names stand in double quotes; true, false and null are lower case.');
  }
}

export const lineWords = {
  blank: () => l10n.t('This line is blank. Remove it: every line holds one request.'),
  notUtf8: () => l10n.t('These bytes are not UTF-8. Save the file as UTF-8.'),
  tooLong: (most: string) => l10n.t('This line is longer than {0}. It was not checked.', most),
  notObject: () => l10n.t('A request is a JSON object: {"custom_id": …, "method": "POST", "url": …, "body": {…}}.'),
  duplicateKey: (key: string) =>
    l10n.t('"{0}" stands in this object already. Only the last one counts: remove one.', shown(key)),
  unknownMember: (key: string) =>
    l10n.t('"{0}" is no member of a request, and is ignored. Parameters of the model belong into "body".', shown(key)),
  unknownMemberNear: (key: string, near: string) =>
    l10n.t('"{0}" isn\'t a property of a request and is ignored. Did you mean "{1}"?', shown(key), near),
  tooLarge: (most: string) =>
    l10n.t('This line is larger than {0}, the most that the service accepts in a line.', most),
  tooDeep: (most: number) => l10n.t('This line nests deeper than {0} levels. What is in it was not checked.', most),
  loneSurrogate: () => l10n.t('This is half of a character. Write both halves, or remove it.'),
  /** `count` is at least 2. */
  moreProblems: (count: number) => l10n.t("{0} more problems in this line aren't listed.", count),
  secret: () =>
    l10n.t(
      'This looks like a key. Whoever gets the file can use it: remove it, and revoke the key if the file was shared.',
    ),
};

export const envelopeWords = {
  idMissing: () => l10n.t('"custom_id" is missing. Answers are found again by it: give each request its own.'),
  idNotString: () => l10n.t('"custom_id" must be a text in double quotes.'),
  idEmpty: () => l10n.t('"custom_id" is empty. Answers are found again by it: give each request its own.'),
  idDuplicate: (id: string, line: number) =>
    l10n.t('"{0}" is the custom_id of line {1} already. Give each request its own.', shown(id), line),
  idLong: (most: number) =>
    l10n.t('This custom_id is longer than {0} characters. Shorter ones are easier to find again.', most),
  methodMissing: (method: string) => l10n.t('"method" is missing. The service fills in "{0}": write it.', method),
  methodNotPost: (method: string) => l10n.t('"method" must be "{0}".', method),
  urlMissing: (url: string) => l10n.t('"url" is missing. The service fills in "{0}": write it.', url),
  idForm: () =>
    l10n.t('"custom_id" can have up to 64 letters, digits, hyphens, and underscores at this service. Change the ID.'),
  /** `name` is that of the missing property, `near` one that it may be written under. */
  required: (name: string, service: string) =>
    l10n.t('"{0}" is missing, and each line must have it at {1}.', name, service),
  requiredNear: (name: string, service: string, near: string) =>
    l10n.t(
      '"{0}" is missing, and each line must have it at {1}. Did you mean "{0}" by "{2}"?',
      name,
      service,
      shown(near),
    ),
  missing: (name: string, wanted: string) => l10n.t('"{0}" is missing. Write "{1}".', name, wanted),
  missingNear: (name: string, near: string) =>
    l10n.t('"{0}" is missing. Did you mean "{0}" by "{1}"?', name, shown(near)),
  urlUnlisted: (url: string) =>
    l10n.t('"{0}" isn\'t a known batch endpoint. The service might not support it.', shown(url)),
  urlMixed: (url: string, first: string) =>
    l10n.t('This line is for "{0}", the first one for "{1}". A batch has one endpoint.', shown(url), shown(first)),
  urlUnknown: (url: string) => l10n.t('"url" must be "{0}": batches take no other.', url),
  bodyMissing: (name: string) =>
    name === 'body'
      ? l10n.t('"body" is missing: it holds the model and the messages.')
      : l10n.t('"{0}" is missing. It contains the model and the messages.', name),
  bodyNotObject: (name: string) =>
    name === 'body'
      ? l10n.t('"body" must be an object with the model and the messages.')
      : l10n.t('"{0}" must be an object with the model and the messages.', name),
};

/** More names would only hide the first ones. */
const mostTypes = 6;

export const bodyWords = {
  modelMissing: () =>
    l10n.t('"model" is missing. Write it, unless the batch is submitted with one model for all lines.'),
  modelMixed: (model: string, first: string) =>
    l10n.t(
      'This line asks "{0}", the first one "{1}". A batch wants one model in all lines.',
      shown(model),
      shown(first),
    ),
  modelNotChat: (model: string) => l10n.t('"{0}" is no chat model: batches ask chat models only.', shown(model)),
  modelNotChatNearest: (model: string, nearest: string) =>
    l10n.t('"{0}" is no chat model: batches ask chat models only. Like it: {1}.', shown(model), nearest),
  modelNotFor: (model: string, url: string) => l10n.t('"{0}" isn\'t a model for "{1}".', shown(model), shown(url)),
  modelUnknown: (model: string) => l10n.t('The service lists no model "{0}".', shown(model)),
  modelUnknownNearest: (model: string, nearest: string) =>
    l10n.t('The service lists no model "{0}". Like it: {1}.', shown(model), nearest),
  messagesMissing: () => l10n.t('"messages" is missing: an array that ends with a question of the user.'),
  messagesNotArray: () => l10n.t('"messages" must be an array of objects with "role" and "content".'),
  messagesEmpty: () => l10n.t('"messages" is empty. At least one message of the user is needed.'),
  lastNotUser: () => l10n.t("The last message must be the user's: the service answers that one."),
  messageNotObject: () => l10n.t('A message must be an object with "role" and "content".'),
  noRole: () => l10n.t('This message has no "role". Write "system", "user", "assistant" or "tool".'),
  unknownRole: (role: string) =>
    l10n.t('"{0}" is no role. Write "system", "user", "assistant" or "tool".', shown(role)),
  noContent: () => l10n.t('This message has no "content".'),
  toolWithoutCall: () =>
    l10n.t('No message before this one calls the tool it answers for. "tool_call_id" must be the id of such a call.'),
  emptyMessage: () => l10n.t('This message says nothing: its text is empty. The service may refuse this.'),
  unfilled: (name: string) =>
    l10n.t('"{0}" was not filled in: it is sent as it stands here. Write what belongs in its place.', shown(name)),
  wrongType: (name: string, wanted: string) => l10n.t('"{0}" must be {1}.', name, wanted),
  outOfBounds: (name: string, bounds: string) => l10n.t('"{0}" must be {1}.', name, bounds),
  unusual: (name: string, bounds: string) => l10n.t('"{0}" should be {1}. The service may refuse this.', name, bounds),
  emptyText: (name: string) => l10n.t('"{0}" is empty.', name),
  longText: (name: string, most: number) => l10n.t('"{0}" takes at most {1} characters.', name, most),
  tooMany: (name: string, most: number) => l10n.t('"{0}" takes at most {1} items.', name, most),
  otherValue: (name: string, [first = '', ...others]: readonly string[]) =>
    others.length === 0
      ? l10n.t('"{0}" must be "{1}".', name, first)
      : l10n.t('"{0}" must be one of these: {1}.', name, [first, ...others].map((value) => `"${value}"`).join(', ')),
  memberMissing: (name: string) => l10n.t('"{0}" is missing here.', name),
  unknownMember: (name: string) =>
    l10n.t('The service knows no parameter "{0}", and refuses requests with one it does not know.', shown(name)),
  unknownMemberNearest: (name: string, nearest: string) =>
    l10n.t('The service knows no parameter "{0}". Did you mean "{1}"?', shown(name), nearest),
  unlistedMember: (name: string) =>
    l10n.t('"{0}" isn\'t a documented parameter. The service might ignore or reject it.', shown(name)),
  otherEndpoint: (url: string, name: string, own: string) =>
    own === ''
      ? l10n.t('{0} doesn\'t accept "{1}".', shown(url), name)
      : l10n.t('{0} accepts "{2}" instead of "{1}".', shown(url), name, own),
  partType: (type: string, types: readonly string[], near: string | undefined) => {
    const all = types.slice(0, mostTypes).map((one) => `"${one}"`);
    return near === undefined
      ? l10n.t('"{0}" isn\'t a content type here. It must be one of these: {1}.', shown(type), all.join(', '))
      : l10n.t(
          '"{0}" isn\'t a content type here. Did you mean "{2}"? It must be one of these: {1}.',
          shown(type),
          all.join(', '),
          near,
        );
  },
  mediaLocal: (address: string) =>
    l10n.t(
      'The service can\'t read "{0}" because it\'s on your machine. Use a web address or a data: URL.',
      shown(address),
    ),
  mediaInline: () => l10n.t('This service accepts images and files in batches only as web addresses.'),
  mediaPython: () => l10n.t("This isn't base64: Python's b'…' was written with it. Remove the b and the quotes."),
  mediaEmpty: () => l10n.t('This data: URL contains no data.'),
  mediaBroken: () => l10n.t("This isn't valid base64. The data might be truncated."),
  mediaBare: () => l10n.t('This is data without a header. Write data:image/png;base64, with its own type before it.'),
  mediaHead: () => l10n.t('The header of this data: URL must have the form data:image/png;base64, with its own type.'),
  noSchema: () => l10n.t('"json_schema" needs a schema. Add it, or use "json_object".'),
  noJsonWord: () =>
    l10n.t('The service rejects JSON mode unless the messages mention JSON. Ask for JSON in a message.'),
  notForModel: (name: string, own: string, model: string) =>
    l10n.t('"{2}" rejects "{0}". Use "{1}" instead.', name, own, shown(model)),
  beyondContext: (tokens: string, most: string) =>
    l10n.t('The request is too long for its model (about {0} of at most {1}, in tokens).', tokens, most),
  beyondModel: (most: string) => l10n.t('This is more than the model generates (at most {0}).', most),
  streamIgnored: () => l10n.t('"stream" has no effect in a batch: answers come whole, in a file.'),
};

export const kindWords = {
  object: () => l10n.t('an object'),
  array: () => l10n.t('an array'),
  string: () => l10n.t('a text'),
  number: () => l10n.t('a number'),
  boolean: () => l10n.t('true or false'),
  null: () => l10n.t('null'),
};

export const boundWords = {
  between: (min: number, max: number) => l10n.t('a number from {0} to {1}', min, max),
  wholeBetween: (min: number, max: number) => l10n.t('a whole number from {0} to {1}', min, max),
  wholeFrom: (min: number) => l10n.t('a whole number from {0} on', min),
  whole: () => l10n.t('a whole number'),
  either: (first: string, second: string) => l10n.t('{0} or {1}', first, second),
};

export const fileWords = {
  /** Says whose rules a file is checked by. `service`: empty if no rules are known. */
  checkedFor: (service: string) =>
    service === '' ? l10n.t('Checked with general rules') : l10n.t('Checked for {0}', service),
  empty: () => l10n.t('The file holds no request. Write one per line.'),
  array: () =>
    l10n.t('This is a JSON array. A batch file has one request per line, without brackets and commas around them.'),
  spread: () =>
    l10n.t('This request goes over several lines. A batch file has each request in one line, however long it is.'),
  bom: () => l10n.t('The file begins with a byte-order mark, which is not JSON. Save it as UTF-8 without one.'),
  notText: () => l10n.t('This is not a text file in UTF-8. Nothing in it was checked.'),
  tooManyRequests: (most: string) =>
    l10n.t(
      'From here on the file has more than {0} requests, which is all the service takes in one file. Split it.',
      most,
    ),
  tooLarge: (most: string) => l10n.t('The file is larger than {0}, which is all the service takes. Split it.', most),
  name: (ending: string) =>
    l10n.t(
      'The service accepts only names that end in "{0}". Rename the file. Batches submitted from VS Code are uploaded under such a name.',
      ending,
    ),
  nameElsewhere: (ending: string) =>
    l10n.t('Most services accept only names that end in "{0}". Rename the file before you upload it.', ending),
  noFinalNewline: () => l10n.t('The last line is not ended by a line break.'),
  crlf: () => l10n.t('Lines end with a carriage return and a line feed. A line feed alone is what services expect.'),
  loneCr: () =>
    l10n.t(
      'A carriage return without a line feed ends this line. Services see line feeds only: save the file with LF.',
    ),
};
