import type { HandlersOf } from '../../src/protocol/call';
import type { ChatSnapshot, Turn } from '../../src/protocol/chat';
import type { ComparedAnswer, compareCalls } from '../../src/protocol/chatCompare';

/** Returns a turn with side-by-side answers. */
export function comparedTurn(question: string, columns: readonly ComparedAnswer[], id = question): Turn {
  return {
    id,
    question,
    askedAt: Date.UTC(2026, 10, 20, 12, 4),
    answer: { state: 'done', model: '', blocks: [] },
    comparison: { columns, count: columns.length },
  };
}

/** Returns the handlers of a conversation with several models. Calls `note` for each call. */
export function notedComparisons(
  note: (method: keyof typeof compareCalls, params: unknown) => void,
  snapshot: () => ChatSnapshot,
): HandlersOf<typeof compareCalls> {
  const nothing = (method: keyof typeof compareCalls) => async (params: unknown) => {
    note(method, params);
    return {};
  };
  const now = (method: keyof typeof compareCalls) => async (params: unknown) => {
    note(method, params);
    return snapshot();
  };
  return {
    'chat/price': async (params) => {
      if (params.turnId === undefined) return {};
      note('chat/price', params);
      return { price: { total: { text: 'Price: about $0.01', hint: '' }, each: [] } };
    },
    'chat/compareWith': nothing('chat/compareWith'),
    'chat/compare': async (params) => {
      note('chat/compare', params);
      const columns = params.models.map((model, index) => ({
        tryId: `a${index}`,
        answer: { state: 'waiting', model, blocks: [] } as const,
      }));
      return { turn: comparedTurn(params.text, columns) };
    },
    'chat/stopTry': nothing('chat/stopTry'),
    'chat/compareAgain': async (params) => {
      note('chat/compareAgain', params);
      const turn = snapshot().turns.find(({ id }) => id === params.turnId);
      const columns = (turn?.comparison?.columns ?? []).map((column) =>
        column.tryId === params.tryId
          ? { tryId: `${column.tryId} again`, answer: { state: 'waiting', model: params.model, blocks: [] } as const }
          : column,
      );
      return { turn: comparedTurn(turn?.question ?? '', columns, params.turnId) };
    },
    'chat/pick': now('chat/pick'),
    'chat/showComparison': now('chat/showComparison'),
  };
}
