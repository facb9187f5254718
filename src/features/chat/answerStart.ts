import type { MessageParam } from '../../core/api/messages/messages.schema';
import { requestParameters, requestPrefill } from '../../core/conversation/chatParameters';
import type { RequestParameters, RequestTerms } from '../../core/conversation/chatParameters';
import { compactTurns, goingOnFrom, unfinishedBlock, unfinishedText } from '../../core/conversation/requestMessages';
import type { Transcript } from '../../core/conversation/transcript';
import type { AnswerBeginning } from './answerRecords';

/** The request for an answer, and the part of the answer that already exists. */
export interface AnswerStart {
  readonly messages: readonly MessageParam[];
  readonly parameters: RequestParameters;
  readonly beginning: AnswerBeginning;
}

export interface AnswerStartOptions extends RequestTerms {
  readonly transcript: Transcript;
  readonly answerId: string;
  /** The most messages in a request; `undefined` for no limit. */
  readonly limit: number | undefined;
}

/**
 * A new try begins with the prefill; one that already has text continues from there, and one whose tools have results continues
 * from those.
 */
export function toAnswerStart({ transcript, answerId, limit, ...terms }: AnswerStartOptions): AnswerStart {
  const { parameters } = transcript;
  const answer = transcript.answer(answerId);
  // When several tries run side by side, each continues from its own tools.
  const turns = transcript
    .sentTurns()
    .map((turn) => (answer && turn.answers.includes(answer) ? { ...turn, shown: answer } : turn));
  const blocks = (answer?.blocks ?? []).map(({ text }) => ({ length: text.length }));
  const prefill = blocks.length === 0 ? requestPrefill(parameters, terms.notTaken) : '';
  const lastTurn = answer && blocks.length > 0 ? unfinishedText(answer) : prefill;
  // The existing part of the answer counts as a message too.
  const room = limit === undefined || lastTurn === '' ? limit : limit - 1;
  return {
    messages: goingOnFrom(compactTurns(turns, room).messages, lastTurn),
    parameters: requestParameters(parameters, terms),
    beginning: { blocks, unfinished: answer ? unfinishedBlock(answer) : -1, prefill },
  };
}
