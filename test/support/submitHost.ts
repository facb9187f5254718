import type { Handlers } from '../../src/protocol/call';
import type {
  BatchSubmitScreen,
  SubmitRequest,
  SubmitProblem,
  SubmitBounds,
  SubmitView,
} from '../../src/protocol/batchSubmit';

export interface SubmitHost {
  readonly handlers: Handlers<BatchSubmitScreen>;
  /** The calls under short names, in order: `check`, `goTo 4`, `act showBatches`… */
  readonly asked: readonly string[];
  readonly orders: readonly SubmitRequest[];
  /** The page's next view. `tell` shows it immediately. */
  view: SubmitView;
}

/** The host's end of the page for submitting a batch. Shows what the test sets, and records calls. */
export function createSubmitHost(view: Partial<SubmitView> = {}): SubmitHost {
  const asked: string[] = [];
  const orders: SubmitRequest[] = [];
  const note = (name: string) => async () => {
    asked.push(name);
    return {};
  };
  const host: SubmitHost = {
    asked,
    orders,
    view: { ...reviewed, ...view },
    handlers: {
      'submit/ready': async () => host.view,
      'submit/models': async () => ({
        models: ['deepseek-ai/DeepSeek-V3', 'Qwen/Qwen3-32B', 'Qwen/Qwen3-8B'].map((id) => ({
          id,
          name: id.split('/')[1] ?? id,
          detail: '',
          group: id.split('/')[0] ?? '',
        })),
      }),
      'submit/check': note('check'),
      'submit/stopCheck': note('stopCheck'),
      'submit/save': note('save'),
      'submit/report': note('report'),
      'submit/stop': note('stop'),
      'submit/goTo': async ({ line }) => note(`goTo ${line}`)(),
      'submit/act': async ({ id }) => note(`act ${id}`)(),
      async 'submit/send'(order) {
        orders.push(order);
        return {};
      },
    },
  };
  return host;
}

export const problem = (part: Partial<SubmitProblem> = {}): SubmitProblem => ({
  severity: 'error',
  message: 'The custom_id "ticket-12" is used by line 3 too.',
  line: 11,
  count: 1,
  where: 'Line 12',
  isOfModel: false,
  refusesFile: false,
  ...part,
});

/** The limits in the service's guide. */
export const submitBounds: SubmitBounds = {
  isInline: false,
  hasOneModel: true,
  hours: { least: 24, most: 336, usual: 24 },
  replacementModels: ['deepseek-ai/DeepSeek-V3', 'deepseek-ai/DeepSeek-R1'],
  metadata: { pairs: 13, key: 64, value: 512 },
};

const reviewed: SubmitView = {
  bounds: submitBounds,
  submitId: 'page 1',
  hasFile: true,
  model: 'Qwen/Qwen3-32B',
  costs: [],
  name: 'support-triage.jsonl',
  place: 'batches/2026-11/support-triage.jsonl',
  facts: [
    { label: 'Requests', value: '5,000' },
    { label: 'Size', value: '1.2 MB' },
    { label: 'Model', value: 'Qwen/Qwen3-32B' },
    {
      label: 'Input',
      value: 'about 310,000 tokens',
      note: 'Estimated from the first lines.',
    },
    { label: 'Sent to', value: 'Work', note: 'api.siliconflow.com' },
    {
      label: 'Paid credit',
      value: '88.00',
      title: 'As of today',
      note: 'Batches use paid credit only.',
    },
  ],
  check: { state: 'done', text: 'No problems in 5,000 requests.', problems: [] },
  file: 'same',
  isUnsaved: false,
  profileId: 'work',
  uploads: [],
  modelCount: 1,
  suggestedName: 'support-triage',
  suggestedModel: '',
  otherSteps: [],
  heading: 'Submit support-triage.jsonl',
};
