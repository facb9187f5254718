import { type EndpointName, allEndpoints, streamingEndpoints } from './endpointNames';
import { answerFaults } from './faults/answerFaults';
import type { ContentEffect, Fault, ResultEffect, StreamEffect, WireEffect } from './faults/fault';

const chatLike: readonly EndpointName[] = ['POST /messages', 'POST /chat/completions'];
const messagesOnly: readonly EndpointName[] = ['POST /messages'];
const reranking: readonly EndpointName[] = ['POST /rerank'];

const assetOnly: readonly EndpointName[] = ['GET asset'];

const wire = (name: string, how: WireEffect, summary: string, endpoints = allEndpoints): Fault => ({
  name,
  summary,
  endpoints,
  streamOnly: false,
  effect: { kind: 'wire', how },
});

const stream = (name: string, how: StreamEffect, summary: string, endpoints = streamingEndpoints): Fault => ({
  name,
  summary,
  endpoints,
  streamOnly: true,
  effect: { kind: 'stream', how },
});

const content = (name: string, how: ContentEffect, summary: string, endpoints = streamingEndpoints): Fault => ({
  name,
  summary,
  endpoints,
  streamOnly: false,
  effect: { kind: 'content', how },
});

const result = (name: string, how: ResultEffect, summary: string, endpoints: readonly EndpointName[]): Fault => ({
  name,
  summary,
  endpoints,
  streamOnly: false,
  effect: { kind: 'result', how },
});

/** Every fault the service can simulate. Their model ids are not in the list of models. */
export const faults: readonly Fault[] = [
  ...answerFaults,
  wire('slow-first-byte', 'slowFirstByte', 'the answer is right, its first byte comes late (3 s, or as armed)'),
  wire('never-answers', 'neverAnswers', 'the request is taken, nothing ever comes back'),
  wire('stall', 'stall', 'headers and half of the body come, then nothing; the connection stays open'),
  wire('cut-body', 'cutBody', 'half of the body comes, then the connection closes'),
  wire('reset-before-headers', 'resetBeforeHeaders', 'the connection is reset after the request, before any header'),
  wire('reset-after-headers', 'resetAfterHeaders', 'the connection is reset after the headers'),
  wire('reset-during-upload', 'resetDuringUpload', 'the connection is reset while the body is on its way', [
    'POST /files',
    'POST /uploads/audio/voice',
    'POST /audio/transcriptions',
  ]),
  wire('wrong-content-type', 'wrongContentType', 'the right body, labelled text/html'),
  wire(
    'huge-declared',
    'hugeDeclared',
    'the right file, followed by zeros up to the 100 MB its length says',
    assetOnly,
  ),
  wire(
    'huge-undeclared',
    'hugeUndeclared',
    'the right file, followed by zeros up to 100 MB; no length says so',
    assetOnly,
  ),
  stream('cut-stream', 'cutMidEvent', 'the stream ends in the middle of an event'),
  stream('cut-before-done', 'cutBeforeEnd', 'all of the text comes, the end mark does not'),
  stream('stall-stream', 'stallMidStream', 'after some events nothing more comes; the connection stays open'),
  stream('delta-text-on-tool', 'textDeltaOnTool', 'text deltas arrive while a tool_use block is open', messagesOnly),
  stream(
    'delta-text-on-thinking',
    'textDeltaOnThinking',
    'text deltas arrive while a thinking block is open',
    messagesOnly,
  ),
  stream(
    'delta-empty-block',
    'emptyTextBlockFirst',
    'a spurious empty text block at index 0, later blocks share its index',
    messagesOnly,
  ),
  stream('delta-wrong-index', 'wrongIndex', 'after thinking every index is one too low', messagesOnly),
  stream('delta-no-start', 'noBlockStart', 'deltas come without content_block_start', messagesOnly),
  stream('delta-no-stop', 'noBlockStop', 'blocks are never closed', messagesOnly),
  stream('malformed-event', 'malformedEvent', 'one event in the middle is not JSON; the rest is right'),
  stream(
    'bare-error-line',
    'bareErrorLine',
    'after some events a bare JSON error line (code 60000) without `data:`, then the end',
  ),
  stream('error-event', 'errorEvent', 'after some events an error event (overloaded), then the end'),
  stream('unknown-event', 'unknownEvent', 'an event of a kind nobody knows comes between; the rest is right'),
  stream('no-event-lines', 'noEventLines', 'no `event:` lines', messagesOnly),
  stream('crlf', 'crlf', 'lines end with CR LF'),
  stream('comments', 'comments', 'comment lines, blank events and pings between the events'),
  stream('no-done', 'noDone', 'message_stop (or the finish reason) comes, `[DONE]` does not'),
  stream('no-message-stop', 'noMessageStop', '`[DONE]` comes, message_stop does not', messagesOnly),
  content('empty-completion', 'empty', 'an answer without any content'),
  content('thinking-only', 'thinkingOnly', 'an answer of thinking alone', chatLike),
  content('refusal', 'refusal', 'stop_reason refusal (content_filter elsewhere)'),
  content('unknown-stop-reason', 'unknownStopReason', 'a stop reason nobody knows'),
  content('no-usage', 'noUsage', 'an answer that does not say what it used', [...streamingEndpoints, ...reranking]),
  content('foreign-index', 'foreignIndex', 'the first result points to a document that was not sent', reranking),
  content('repeated-index', 'repeatedIndex', 'the first result comes twice, the last one not', reranking),
  content('no-score', 'noScore', 'the last result has no score', reranking),
  content('same-scores', 'sameScores', 'all results have the same score', reranking),
  content('word-for-score', 'wordForScore', 'the last score is the text `NaN`', reranking),
  result('expired-url', 'expiredUrl', 'the call succeeds, the address in its answer has already expired', [
    'POST /images/generations',
    'POST /video/submit',
    'GET /batches',
    'GET /batches/{id}',
  ]),
  result('failed-job', 'failedJob', 'the video ends as Failed with a reason', ['POST /video/submit']),
  result('unknown-status', 'unknownStatus', 'the video reports a status nobody knows before it succeeds', [
    'POST /video/submit',
  ]),
  result('no-address', 'noAddress', 'the call succeeds, the result it names has no address', [
    'POST /images/generations',
    'POST /video/submit',
  ]),
  result('endless-job', 'endlessJob', 'the video stays InProgress', ['POST /video/submit']),
];

const byName = new Map(faults.map((fault) => [fault.name, fault]));

export const findFault = (name: string): Fault | undefined => byName.get(name);

/** Returns the name in a model id `fault/<name>`; `undefined` for any other id. */
export function faultNameOf(model: unknown): string | undefined {
  return typeof model === 'string' && model.startsWith('fault/') ? model.slice('fault/'.length) : undefined;
}
