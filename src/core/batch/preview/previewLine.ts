import { readContent } from './lineContent';
import type { LineContent, ShownMessage } from './lineContent';
import { beginning } from './shortText';

/** The most characters to show of a line's texts, shared among its messages. */
const mostCharacters = 24_000;
const fewestOfMessage = 500;
const mostMessages = 40;
/** The number of first messages that are always shown: they say what the conversation is about. */
const firstMessages = 5;
const mostParameters = 40;
const longestParameter = 400;

/** A line as it is shown in full. `cut`: the number of characters of a text that are not shown. */
export interface PreviewContent {
  readonly customId: string;
  readonly model: string;
  readonly messages: readonly (ShownMessage & { readonly cut: number })[];
  /** The number of omitted messages after the first ones. */
  readonly omitted: number;
  readonly parameters: LineContent['parameters'];
  readonly answer: LineContent['answer'];
  /** The text as it is, if it is not JSON. */
  readonly raw: { readonly text: string; readonly cut: number } | undefined;
}

/** `most`: the most characters to show of the messages. */
export function readPreview(text: string, most = mostCharacters): PreviewContent {
  const content = readContent(text);
  if (!content) {
    return { ...nothing, raw: text.trim() === '' ? undefined : cutText(text, most) };
  }
  const { customId = '', model = '', messages, parameters, answer } = content;
  const shown = messages.length <= mostMessages ? messages : someOf(messages);
  const share = Math.max(fewestOfMessage, Math.floor(most / Math.max(1, shown.length)));
  return {
    customId: beginning(customId, 1000),
    model: beginning(model, 1000),
    messages: shown.map((message) => ({ role: beginning(message.role, 100), ...cutText(message.text, share) })),
    omitted: messages.length - shown.length,
    parameters: parameters.slice(0, mostParameters).map(({ name, value }) => ({
      name: beginning(name, 100),
      value: value.length > longestParameter ? `${beginning(value, longestParameter)}…` : value,
    })),
    answer: answer && { ...answer, error: answer.error && beginning(answer.error, 2000) },
    raw: undefined,
  };
}

const nothing = { customId: '', model: '', messages: [], omitted: 0, parameters: [], answer: undefined };

function someOf(messages: readonly ShownMessage[]): readonly ShownMessage[] {
  return [...messages.slice(0, firstMessages), ...messages.slice(firstMessages - mostMessages)];
}

/** Returns the beginning of a text, and the number of characters that follow it. */
export function cutText(text: string, most: number): { readonly text: string; readonly cut: number } {
  const start = beginning(text, most);
  return { text: start, cut: text.length - start.length };
}
