import type { MessageParam } from '../../core/api/messages/messages.schema';
import { requestParameters, requestPrefill } from '../../core/conversation/chatParameters';
import type { RequestParameters, RequestTerms } from '../../core/conversation/chatParameters';
import { compactTurns, goingOnFrom, unfinishedBlock, unfinishedText } from '../../core/conversation/requestMessages';
import type { Transcript } from '../../core/conversation/transcript';
import type { AnswerBeginning } from './answerRecords';

/** What is sent for an answer, and what it is to be added to. */
export interface AnswerStart {
  readonly messages: readonly MessageParam[];
  readonly parameters: RequestParameters;
  readonly beginning: AnswerBeginning;
}

export interface AnswerStartOptions extends RequestTerms {
  readonly transcript: Pick<Transcript, 'sentTurns' | 'answer' | 'parameters'>;
  readonly answerId: string;
  /** The most messages of a request; `undefined`: as many as there are. */
  readonly limit: number | undefined;
}

/**
 * A try at an answer begins with the prefill; one that has words already goes on from them, one whose tools have answered from
 * their results.
 */
export function toAnswerStart({ transcript, answerId, limit, ...terms }: AnswerStartOptions): AnswerStart {
  const { parameters } = transcript;
  const answer = transcript.answer(answerId);
  // Of tries that come side by side each goes on from its own tools.
  const turns = transcript
    .sentTurns()
    .map((turn) => (answer && turn.answers.includes(answer) ? { ...turn, shown: answer } : turn));
  const blocks = (answer?.blocks ?? []).map(({ text }) => ({ length: text.length }));
  const prefill = blocks.length === 0 ? requestPrefill(parameters, terms.notTaken) : '';
  const lastTurn = answer && blocks.length > 0 ? unfinishedText(answer) : prefill;
  // What the answer has already is a message too.
  const room = limit === undefined || lastTurn === '' ? limit : limit - 1;
  return {
    messages: goingOnFrom(compactTurns(turns, room).messages, lastTurn),
    parameters: requestParameters(parameters, terms),
    beginning: { blocks, unfinished: answer ? unfinishedBlock(answer) : -1, prefill },
  };
}
