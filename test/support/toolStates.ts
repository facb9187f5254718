import type { Answer, AnswerBlock, ChatSnapshot } from '../../src/protocol/chat';
import type { ToolCallView } from '../../src/protocol/chatTools';
import { emptySnapshot } from './chatHost';
import { turn } from './chatStates';
import { emptyTools, toolRow } from './toolsHost';

const ended: Partial<Answer> = {
  stopReason: 'tool_use',
  usage: { inputTokens: 310, outputTokens: 42 },
  firstTokenMs: 412,
  totalMs: 1920,
};

export function call(
  name: string,
  view: Partial<ToolCallView>,
  input: unknown = { city: 'Paris', days: 3 },
): AnswerBlock {
  return {
    kind: 'toolUse',
    name,
    text: JSON.stringify(input),
    call: { state: 'asking', label: name, ...view },
  };
}

export function asked(blocks: readonly AnswerBlock[], answer: Partial<Answer> = {}): ChatSnapshot {
  const said: AnswerBlock = { kind: 'text', text: 'I look it up.' };
  return emptySnapshot({ turns: [turn('Is it warm in Paris?', { ...ended, blocks: [said, ...blocks], ...answer })] });
}

const longResult = Array.from({ length: 60 }, (_, index) => `line ${index + 1}: <b>not markup</b> **nor this**`).join(
  '\n',
);

/** Every state of a call, by the name of a page that shows it. */
export const callStates: Readonly<Record<string, ChatSnapshot>> = {
  asking: asked([
    call(
      'search_files',
      { canAllow: true, label: 'Search files' },
      { query: 'paris \u202Egro.live', include: ['**/*.ts'] },
    ),
    call('get_weather', { canAllow: true }),
  ]),
  cannotRun: asked([
    call('run_in_terminal', {
      note: 'In Restricted Mode no tool of the editor is run. Trust the folder, or answer by hand.',
    }),
  ]),
  awaiting: asked([call('get_weather', { state: 'awaitingResult' })]),
  running: asked(
    [
      call('get_weather', { state: 'done', result: '21 °C', by: 'person' }),
      call('search_files', { state: 'running', label: 'Search files', allowedAlways: true }),
    ],
    { state: 'streaming' },
  ),
  ended: asked([
    call('search_files', { state: 'done', label: 'Search files', result: longResult, by: 'tool', allowedAlways: true }),
    call('get_weather', { state: 'failed', result: 'The service of the weather is not reachable.', by: 'tool' }),
    call('get_weather', { state: 'done', result: '', by: 'tool' }, {}),
    call('delete_file', { state: 'denied', result: 'The person denied it: never delete anything.' }),
    call('fetch_page', { state: 'stopped', label: 'Fetch a page' }),
    call('get_weather', { state: 'notRun' }),
    { kind: 'text', text: 'It is warm.' },
  ]),
  limit: asked([call('get_weather', { state: 'done', result: '21 °C', by: 'tool', allowedAlways: true })], {
    toolLimit: 10,
    canContinue: true,
  }),
};

const asRest =
  'asks a web service for the weather of a city, with the temperature in degrees, the wind and the rain of the next days';

/** Tools from every source. */
export const manyTools = emptyTools({
  offered: 3,
  choice: { type: 'auto', single: true },
  groups: [
    {
      id: 'own',
      kind: 'own',
      label: 'Written by you',
      tools: [toolRow('get_weather', { offered: true, description: asRest })],
    },
    {
      id: 'github.copilot-chat',
      kind: 'extension',
      label: 'GitHub Copilot Chat',
      tools: [
        toolRow('search_files', { label: 'Search files', offered: true, allowedAlways: true }),
        toolRow('read_file', { label: 'Read file' }),
        toolRow('list_errors', { label: 'List errors', schema: '' }),
      ],
    },
    {
      id: 'mcp',
      kind: 'mcp',
      label: 'MCP server: a-very-long-name-of-a-server-that-somebody-chose-without-thinking',
      tools: [
        toolRow('mcp_server_fetch_a_page_with_a_name_that_does_not_end_soon', { offered: true }),
        toolRow('mcp_time', { description: '' }),
      ],
    },
    {
      id: 'editor',
      kind: 'editor',
      label: 'Visual Studio Code',
      tools: [toolRow('vscode_ask', { label: 'Ask user' })],
    },
    {
      id: 'gone',
      kind: 'gone',
      label: 'No longer there',
      tools: [toolRow('old_tool', { offered: true, description: '', schema: '' })],
    },
  ],
});
