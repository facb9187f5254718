import { batchMethod, batchUrl } from '../limits';
import { exampleWords } from '../words/makingWords';

/** The examples a new batch file can start with. */
export const exampleKinds = ['question', 'system', 'json', 'tools', 'picture'] as const;
export type ExampleKind = (typeof exampleKinds)[number];

const bodies: Readonly<Record<ExampleKind, () => readonly object[]>> = {
  question: () => [{ messages: [user(exampleWords.question())] }, { messages: [user(exampleWords.otherQuestion())] }],
  system: () => [
    { messages: [system(exampleWords.system()), user(exampleWords.question())] },
    { messages: [system(exampleWords.system()), user(exampleWords.otherQuestion())] },
  ],
  json: () => [
    { messages: [system(exampleWords.classify()), user(exampleWords.review())], response_format },
    { messages: [system(exampleWords.classify()), user(exampleWords.otherReview())], response_format },
  ],
  tools: () => [{ messages: [user(exampleWords.weather())], tools: [weatherTool()] }],
  picture: () => [
    {
      messages: [
        user([
          { type: 'image_url', image_url: { url: 'https://example.com/picture.jpg' } },
          { type: 'text', text: exampleWords.picture() },
        ]),
      ],
    },
  ],
};

const response_format = { type: 'json_object' };

/** Returns a small batch file to start from, with a final line break. Without `model`, its requests name no model. */
export function exampleFile(kind: ExampleKind, model: string | undefined): string {
  const lines = bodies[kind]().map((body, index) =>
    JSON.stringify({
      custom_id: `request-${index + 1}`,
      method: batchMethod,
      url: batchUrl,
      body: { ...(model === undefined ? {} : { model }), ...body },
    }),
  );
  return `${lines.join('\n')}\n`;
}

function user(content: string | readonly object[]): object {
  return { role: 'user', content };
}

function system(content: string): object {
  return { role: 'system', content };
}

function weatherTool(): object {
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  return { type: 'function', function: { name: 'weather', description: exampleWords.tool(), parameters } };
}
