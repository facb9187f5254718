import type { Exchange } from '../api/exchange';

/** Formats one call for the log: method and path, outcome, duration and attempts. Contains no query and no body. */
export function callLine(exchange: Exchange): string {
  const { method, path, request, response, durationMs, firstByteMs, traceId, errorKind, attempts, stack } = exchange;
  const parts = [
    `${method} ${exchange.isResult === true ? exchange.origin : ''}${path.split('?')[0]}`,
    response ? String(response.status) : 'no answer',
    `${Math.round(durationMs)} ms`,
    firstByteMs === undefined ? undefined : `first byte ${Math.round(firstByteMs)} ms`,
    request.bytes > 0 ? `${request.bytes} B out` : undefined,
    response ? `${response.bytes} B in` : undefined,
    exchange.eventCount === undefined ? undefined : `${exchange.eventCount} events`,
    attempts.length > 1 ? `${attempts.length} tries (${attempts.map(outcome).join(', ')})` : undefined,
    errorKind,
    stack,
    traceId === undefined ? undefined : `trace ${traceId}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

function outcome({ status, errorKind, waitedMs }: Exchange['attempts'][number]): string {
  const ended = status === undefined ? (errorKind ?? 'no answer') : String(status);
  return waitedMs === undefined ? ended : `${ended} then ${Math.round(waitedMs)} ms`;
}
