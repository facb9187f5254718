import * as l10n from '@vscode/l10n';

/** What the members of a request are for. */
export const memberWords = {
  customId: () => l10n.t('Names the request. Its answer carries the same name, so it may be used once in a file.'),
  method: () => l10n.t('How the request is sent. The service fills it in where it is missing.'),
  url: () => l10n.t('Where the request is sent. The service fills it in where it is missing.'),
  body: () => l10n.t('The request itself: the model, the messages and how to answer.'),
  model: () =>
    l10n.t('Who answers. One model in all lines of a file, unless the batch is submitted with one for all of them.'),
  messages: () => l10n.t('The conversation so far. It ends with a message of the user, which is the one answered.'),
  stream: () => l10n.t('Allowed, without effect: the answers of a batch come whole.'),
  streamOptions: () => l10n.t('Allowed, without effect: the answers of a batch come whole.'),
  responseFormat: () => l10n.t('Makes the answer JSON. Say in the messages too what is wanted.'),
  tools: () => l10n.t('Functions the model may ask to be called. Up to 128.'),
  toolChoice: () => l10n.t('Whether tools are called: as the model decides, never, always, or one by its name.'),
  message: () => l10n.t('One message of the conversation.'),
  role: () =>
    l10n.t(
      'Who says it: "system" instructs the model, "user" asks, "assistant" is what was answered, "tool" is what a called function gave.',
    ),
  content: () => l10n.t('What is said: a text, or parts where pictures go along.'),
  name: () => l10n.t('Tells people of the same role apart.'),
  toolCalls: () => l10n.t('The functions an answer asked to be called. Only in messages of the assistant.'),
  toolCallId: () => l10n.t('The "id" of the call that is answered. Only in messages of a tool.'),
  reasoningContent: () => l10n.t('What the model thought before the answer. Wanted back only where tools were called.'),
  part: () => l10n.t('A piece of the message.'),
  partType: () => l10n.t('What the part holds.'),
  partText: () => l10n.t('The text of a part whose type is "text".'),
  imageUrl: () => l10n.t('The picture of a part whose type is "image_url". The model must be one that sees.'),
  imageAddress: () => l10n.t('An https address the service can reach, or the picture itself: data:image/png;base64,…'),
  imageDetail: () => l10n.t('How closely the picture is looked at. More detail costs more tokens.'),
  formatType: () =>
    l10n.t('"text" as usual, "json_object" for any JSON, "json_schema" for JSON of the form that is given.'),
  jsonSchema: () => l10n.t('The form of the answer, where the type is "json_schema".'),
  schemaName: () => l10n.t('A name for the form.'),
  schema: () => l10n.t('The form as a JSON Schema.'),
  strict: () => l10n.t('Whether the form is kept to exactly.'),
  tool: () => l10n.t('A function the model may ask to be called.'),
  toolType: () => l10n.t('The kind of tool: functions only.'),
  toolFunction: () => l10n.t('The function.'),
  functionName: () => l10n.t('The name of the function, up to 64 characters.'),
  functionDescription: () => l10n.t('What it does and when to call it: the model decides by this.'),
  functionParameters: () => l10n.t('What it takes, as a JSON Schema of an object.'),
  functionArguments: () => l10n.t('What it is called with: JSON, written as a text.'),
  callId: () => l10n.t('Names the call. The message of the tool repeats it.'),
};

export const assistWords = {
  takes: (kinds: string) => l10n.t('Takes {0}.', kinds),
  oneOf: (values: string) => l10n.t('One of {0}.', values),
  always: (value: string) => l10n.t('Always {0}.', value),
  required: () => l10n.t('Required.'),
  image: () => l10n.t('a picture'),
  imageAt: (address: string) => l10n.t('a picture: {0}', address),
  calls: (name: string, argumentsText: string) => l10n.t('calls {0} with {1}', name, argumentsText),
  noRole: () => l10n.t('no role'),
};
