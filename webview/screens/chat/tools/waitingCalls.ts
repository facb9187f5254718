import type { ToolCallView } from '../../../../src/protocol/chatTools';
import type { TurnView } from '../conversation';

/** A call that goes on when the person has decided. */
export interface WaitingCall {
  /** Of this call alone, on this page and after a reload. */
  readonly key: string;
  readonly label: string;
  readonly state: 'asking' | 'awaitingResult';
}

/** The calls of the last answer that wait for the person. Of answers side by side one is picked first. */
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

export function callKey({ id, tryId = '' }: Pick<TurnView, 'id' | 'tryId'>, block: number): string {
  return `${id} ${tryId} ${block}`;
}
