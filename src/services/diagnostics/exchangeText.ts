import type { Exchange, ExchangeSide } from '../../core/api/exchange';

/** Returns the whole exchange as text, for reading and for support. */
export function exchangeText(exchange: Exchange): string {
  const { request, response, events } = exchange;
  const lines = [
    `# ${new Date(exchange.at).toISOString()}, ${Math.round(exchange.durationMs)} ms over ${exchange.stack}`,
    `# request and response ${exchange.id}`,
    ...(exchange.traceId === undefined ? [] : [`# trace ${exchange.traceId}`]),
    ...attemptLines(exchange),
    ...(exchange.errorMessage === undefined ? [] : [`# ${exchange.errorKind}: ${exchange.errorMessage}`]),
    '',
    `${exchange.method} ${exchange.path}`,
    ...sideLines(request),
    '',
    ...(response ? [`HTTP ${response.status}`, ...sideLines(response)] : ['# No response was received.']),
  ];
  if (events && events.length > 0) {
    lines.push(
      '',
      `# ${exchange.eventCount ?? events.length} events. Times are in milliseconds since the request started.`,
    );
    for (const { ms, text } of events) lines.push(`${String(Math.round(ms)).padStart(7)}  ${text}`);
    const left = (exchange.eventCount ?? events.length) - events.length;
    if (left > 0) lines.push(`# ${left} more events omitted.`);
  }
  return `${lines.join('\n')}\n`;
}

function attemptLines({ attempts }: Exchange): readonly string[] {
  if (attempts.length < 2) return [];
  return attempts.map(({ ms, stack, status, errorKind, waitedMs }, index) => {
    const outcome = [status, errorKind].filter((part) => part !== undefined).join(' ');
    const wait = waitedMs === undefined ? '' : `, then waited ${Math.round(waitedMs)} ms`;
    return `# attempt ${index + 1} at ${Math.round(ms)} ms over ${stack}: ${outcome || 'no answer'}${wait}`;
  });
}

function sideLines({ headers, body, bytes }: ExchangeSide): readonly string[] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (body === undefined) return bytes > 0 ? [...lines, '', `# ${bytes} bytes, not kept as text`] : lines;
  if (body === '') return lines;
  const whole = Buffer.byteLength(body) >= bytes;
  return [...lines, '', indented(body), ...(whole ? [] : [`# Truncated. The complete body has ${bytes} bytes.`])];
}

/** JSON is indented for readability; anything else is returned as sent. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
