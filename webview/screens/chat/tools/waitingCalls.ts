import type { ToolCallView } from '../../../../src/protocol/chatTools';
import type { TurnView } from '../conversation';

/** A tool call that waits for the user's decision. */
export interface WaitingCall {
  /** Unique to this call, on this page and after a reload. */
  readonly key: string;
  readonly label: string;
  readonly state: 'asking' | 'awaitingResult';
}

/**
 * Returns the calls of the last answer that wait for the user, or none for compared answers, because one of them must be selected first.
 */
export function waitingCalls(turns: readonly TurnView[]): readonly WaitingCall[] {
  const turn = turns.at(-1);
  if (turn?.comparison?.columns.length) return [];
  return (turn?.blocks.value ?? []).flatMap(({ call }, index) => {
    const view = call.value;
    return turn && isWaiting(view) ? [{ key: callKey(turn, index), label: view.label, state: view.state }] : [];
  });
}

export function isWaiting(
  call: ToolCallView | undefined,
): call is ToolCallView & { readonly state: WaitingCall['state'] } {
  return call?.state === 'asking' || call?.state === 'awaitingResult';
}

export function callKey({ id, tryId = '' }: TurnView, block: number): string {
  return `${id} ${tryId} ${block}`;
}
