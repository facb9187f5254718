import type { MessageParam } from '../../core/api/messages/messages.schema';
import { requestParameters } from '../../core/conversation/chatParameters';
import type { ChatParameters, ParameterName } from '../../core/conversation/chatParameters';
import { foldTurns, goingOnFrom, textOf } from '../../core/conversation/requestMessages';
import type { Transcript } from '../../core/conversation/transcript';
import type { AnswerBeginning } from './answerRecords';

/** What is sent for an answer, and what it is to be added to. */
export interface AnswerStart {
  readonly messages: readonly MessageParam[];
  readonly parameters: Omit<ChatParameters, 'prefill'>;
  readonly beginning: AnswerBeginning;
}

export interface AnswerStartOptions {
  readonly transcript: Pick<Transcript, 'sentTurns' | 'answer' | 'parameters'>;
  readonly answerId: string;
  readonly notTaken: readonly ParameterName[];
  /** The most messages of a request; `undefined`: as many as there are. */
  readonly limit: number | undefined;
}

/** A try at an answer begins with the prefill; one that has words already goes on from them. */
export function toAnswerStart({ transcript, answerId, notTaken, limit }: AnswerStartOptions): AnswerStart {
  const { parameters } = transcript;
  const answer = transcript.answer(answerId);
  const blocks = (answer?.blocks ?? []).map(({ type, text }) => ({ type, text }));
  const said = answer ? textOf(answer) : '';
  const prefill = said === '' ? (parameters.prefill ?? '') : '';
  const lastTurn = said === '' ? prefill : said;
  // What the answer has already is a message too.
  const room = limit === undefined || lastTurn === '' ? limit : limit - 1;
  return {
    messages: goingOnFrom(foldTurns(transcript.sentTurns(), room).messages, lastTurn),
    parameters: requestParameters(parameters, notTaken),
    beginning: { blocks, prefill },
  };
}
