import type { Handlers } from '../../src/protocol/call';
import type { CheckedRow, ModelCheckScreen, ModelCheckView } from '../../src/protocol/modelCheck';

const row = (id: string, label: string, part: Partial<CheckedRow> = {}): CheckedRow => ({
  id,
  label,
  result: 'notChecked',
  resultText: 'Unchecked',
  evidence: '',
  hasRequest: false,
  ...part,
});
const works = (evidence: string) => ({ result: 'works', resultText: 'Works', evidence, hasRequest: true }) as const;
const fails = (evidence: string, option: string) =>
  ({ result: 'fails', resultText: "Doesn't work", evidence, option, hasRequest: true }) as const;

/** Before a check, with all rows. */
export const unchecked: ModelCheckView = {
  pageId: 'page-1',
  model: 'qwen3-8b-q4',
  place: 'llama.cpp at localhost:8080',
  stage: 'ready',
  takesOptions: true,
  groups: [
    {
      label: 'Conversation',
      rows: [
        row('answers', 'Answers'),
        row('streams', 'Streams'),
        row('ends', 'Ends cleanly'),
        row('continues', 'Continues a partial response'),
      ],
    },
    { label: 'Reasoning', rows: [row('reasoning', 'Keeps reasoning separate')] },
    { label: 'Tools', rows: [row('toolCall', 'Structured tool call'), row('toolResult', 'Accepts a tool result')] },
    {
      label: 'Input and output',
      rows: [row('jsonMode', 'JSON mode'), row('images', 'Images'), row('logProbabilities', 'Log probabilities')],
    },
    { label: 'Limits', rows: [row('context', 'Context'), row('responseLength', 'Response length')] },
  ],
  facts: ['Up to 9 requests with about 2,000 tokens', 'Free on your own server'],
};

/** Returns a view with other values in some of its rows. */
export function withRows(
  view: ModelCheckView,
  rows: Readonly<Record<string, Partial<CheckedRow>>>,
  part: Partial<ModelCheckView> = {},
): ModelCheckView {
  const groups = view.groups.map((group) => ({
    ...group,
    rows: group.rows.map((one) => ({ ...one, ...rows[one.id] })),
  }));
  return { ...view, groups, ...part };
}

/** During a check. */
export const checking = withRows(
  unchecked,
  {
    answers: works('"Paris", 9 tokens, /chat/completions'),
    streams: works('38 events, first token after 0.21 s, 48 tokens/s'),
    ends: works('finish_reason "stop", then [DONE]'),
  },
  { stage: 'checking' },
);

/** After a check in which a server lacked options. */
export const checked = withRows(
  checking,
  {
    continues: works('Continued after "1, 2, 3,"'),
    reasoning: fails('The response text contains <think>', '--reasoning-format deepseek'),
    toolCall: fails('The tool call was returned as text', '--jinja'),
    toolResult: { evidence: 'Requires a structured tool call' },
    jsonMode: works('Valid JSON'),
    images: { result: 'notOffered', resultText: 'Unsupported', evidence: "The model doesn't support image input" },
    logProbabilities: works('5 alternatives per token'),
    context: {
      result: 'limited',
      resultText: 'Limited',
      evidence: 'Server: 8,192 tokens. Model: 40,960 tokens.',
      option: '--ctx-size 40960',
      hasRequest: true,
    },
    responseLength: works('4,096 tokens'),
  },
  {
    stage: 'done',
    options: {
      title: 'Set server options for reasoning, tool calls, and context.',
      detail: 'Restart llama-server with these options:',
      line: '--reasoning-format deepseek --jinja --ctx-size 40960',
    },
    facts: ['Checked at 11:02', 'Works: 7, Limited: 1, Doesn’t work: 2', '8 requests, 1,204 tokens, free'],
  },
);

/** The host's end of the page for checking a model. Shows what the test sets, and records calls. */
export function createModelCheckHost(view: ModelCheckView) {
  const asked: string[] = [];
  const note = (name: string) => async () => {
    asked.push(name);
    return {};
  };
  const handlers: Handlers<ModelCheckScreen> = {
    'modelCheck/ready': async () => view,
    'modelCheck/check': note('check'),
    'modelCheck/stop': note('stop'),
    'modelCheck/showRequest': async ({ id }) => note(`showRequest ${id}`)(),
    'modelCheck/copyOption': async ({ id }) => note(`copyOption ${id}`)(),
    'modelCheck/copyOptions': note('copyOptions'),
    'modelCheck/copyReport': note('copyReport'),
    'modelCheck/act': async ({ action }) => note(`act ${action}`)(),
    'modelCheck/edit': note('edit'),
  };
  return { asked, handlers };
}
