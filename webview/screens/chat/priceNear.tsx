import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { HostError } from '../../../src/protocol/caller';
import type { ChatSession } from './session';

export interface PricedRequest {
  /** The model of the conversation if absent. */
  readonly model?: string | undefined;
  /** Whether the response is continued instead of requested again. */
  readonly continues?: boolean;
}

/** The price of sending a turn again, which is known once the pointer or the focus is near what sends it. */
function usePriceNear(session: ChatSession, turnId: string) {
  const price = useSignal<string | undefined>(undefined);
  /** The request that `price` is loaded for. */
  const near = useSignal<PricedRequest | undefined>(undefined);
  const load = async (request: PricedRequest) => {
    near.value = request;
    const model = request.model ?? session.page.peek()?.model;
    if (model === undefined) return;
    try {
      const params = { models: [model], turnId, ...(request.continues && { continues: true }) };
      const reported = await session.host.call('chat/price', params);
      if (near.peek() === request) price.value = reported.price?.total.text;
    } catch (error) {
      if (near.peek() === request) price.value = undefined;
      // The price is missing then. Other effects of the error are shown where they occur.
      if (!(error instanceof HostError)) throw error;
    }
  };
  const forget = () => {
    near.value = undefined;
    price.value = undefined;
  };
  return { price, load, forget };
}

/** Adds the price of a note's action. `requestOf`: returns its request, or `undefined` if it sends nothing. */
export function usePricedActions(
  session: ChatSession,
  turnId: string,
  {
    onAct,
    requestOf,
  }: { readonly onAct: (action: string) => void; readonly requestOf: (action: string) => PricedRequest | undefined },
) {
  const { price, load, forget } = usePriceNear(session, turnId);
  const onNear = (action: string | undefined) => {
    const request = action === undefined ? undefined : requestOf(action);
    if (request) void load(request);
    else forget();
  };
  return { onAct, onNear, status: price.value };
}

interface PriceNearProps extends PricedRequest {
  readonly session: ChatSession;
  readonly turnId: string;
  readonly children: ComponentChildren;
}

/** Shows the price of what a button sends above it. */
export function PriceNear({ session, turnId, children, ...request }: PriceNearProps) {
  const { price, load } = usePriceNear(session, turnId);
  return (
    <span class="price-near" onPointerEnter={() => void load(request)} onFocusIn={() => void load(request)}>
      <span class="price-near-text" role="status">
        {price.value}
      </span>
      {children}
    </span>
  );
}
