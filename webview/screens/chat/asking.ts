import { batch, type Signal } from '@preact/signals';
import type { Turn } from '../../../src/protocol/chat';
import type { Attachments } from './attachments';
import type { Draft } from './draft';
import type { Attempt, ChatHost, PageState } from './chatHost';

interface AskingOptions {
  readonly host: ChatHost;
  readonly page: Signal<PageState | undefined>;
  readonly draft: Draft;
  readonly attachments: Attachments;
  readonly sending: Signal<boolean>;
  readonly pickerOpen: Signal<boolean>;
  /** Whether a question is being sent or its answer is still arriving. */
  readonly isBusy: () => boolean;
  readonly start: (turn: Turn) => void;
  readonly attempt: Attempt;
}

/** Sends the question in the box. */
export function createAsking({
  host,
  page,
  draft,
  attachments,
  sending,
  pickerOpen,
  isBusy,
  start,
  attempt,
}: AskingOptions) {
  /** A question sent before the account and its models were known goes out once there is a model. */
  let isWaiting = false;

  const ask = async () => {
    const text = draft.text.peek().trim();
    if (!text || isBusy()) return;
    const state = page.peek();
    if (!state) {
      isWaiting = true;
      return;
    }
    const { model, account, modelsState, comparing } = state;
    if (account !== 'ready') return;
    const compared = comparing?.on ? comparing.models : undefined;
    if (!model && !compared) {
      isWaiting = modelsState === 'loading' || modelsState === 'unknown';
      pickerOpen.value = !isWaiting;
      return;
    }
    sending.value = true;
    // A rejected question stays in the box and with the host, because the page may be closed before it can save the draft again.
    draft.flush();
    const ids = attachments.chips.peek().map(({ id }) => id);
    const along = ids.length > 0 ? { attachments: ids } : {};
    const result = await attempt(
      compared
        ? host.call('chat/compare', { text, models: compared, ...along })
        : host.call('chat/ask', { text, model: model ?? '', ...along }),
    );
    batch(() => {
      sending.value = false;
      if (!result) return;
      start(result.turn);
      if (draft.text.peek().trim() === text) draft.set('');
    });
  };

  return {
    ask,
    /** Sends a waiting question if the new state allows it. */
    async onState() {
      if (!isWaiting) return;
      isWaiting = false;
      await ask();
    },
  };
}
