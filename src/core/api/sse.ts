import { ApiError } from './errors';
import { OpenJson } from './leadingJson';

export interface SseSink {
  /** Receives the data of one event; its lines, if it has several, are separated by line feeds. `isError`: the event is named `error`. */
  onData(text: string, isError: boolean): void;
  /** Receives a line that is not part of an event, e.g. a bare JSON error. */
  onStray(line: string): void;
}

export interface SseReader {
  /** Throws `badResponse` if one event exceeds the limit, and whatever the sink throws. */
  push(chunk: Uint8Array): void;
  /** Reads an unfinished event as if a blank line followed. */
  end(): void;
}

const lineFeed = 10;
const space = 32;
/** Besides its characters, a stored line takes memory for itself. Events of one line are hardly shorter for it. */
const lineChars = 32;

/**
 * Reads server-sent events from bytes split anywhere (https://html.spec.whatwg.org/multipage/server-sent-events.html). Ignores ids,
 * comments and all event names but `error`: an event's kind is in its JSON, and a comment only shows that the service is alive. Does not use a
 * library: those make an exception of each line they do not know.
 */
export function createSseReader(maxEventChars: number, sink: SseSink): SseReader {
  const decoder = new TextDecoder();
  const lines = new SseLines(maxEventChars, sink);
  return {
    push: (chunk) => lines.feed(decoder.decode(chunk, { stream: true })),
    end: () => lines.feed(`${decoder.decode()}\n\n`),
  };
}

class SseLines {
  /** The line that has not ended yet, in pieces. */
  private begun: string[] = [];
  private begunChars = 0;
  /** The lines of data of the event that has not ended yet. */
  private data: string[] = [];
  private dataChars = 0;
  private isError = false;
  /** Set while the JSON of the event continues in lines without `data:`, which some servers write if it has line ends. */
  private json: OpenJson | undefined;
  /** Whether the last character was a carriage return, so that a line feed only completes the end of its line. */
  private isAfterReturn = false;

  constructor(
    private readonly maxEventChars: number,
    private readonly sink: SseSink,
  ) {}

  feed(text: string): void {
    if (text === '') return;
    if (this.begunChars > 0 && !/[\r\n]/.test(text)) {
      this.begun.push(text);
      this.begunChars += text.length;
    } else {
      const whole = this.begunChars > 0 ? this.begun.join('') + text : text;
      const rest = whole.slice(this.readLines(whole));
      this.begun = [rest];
      this.begunChars = rest.length;
    }
    this.checkSize();
  }

  private checkSize(): void {
    if (this.begunChars + this.dataChars <= this.maxEventChars) return;
    const message = `A stream event exceeds ${this.maxEventChars} characters.`;
    throw new ApiError({ kind: 'badResponse', message, sent: true });
  }

  /** Reads the lines that have ended, and returns where the last one begins. */
  private readLines(text: string): number {
    let start = this.isAfterReturn && text.charCodeAt(0) === lineFeed ? 1 : 0;
    this.isAfterReturn = false;
    let feed = text.indexOf('\n', start);
    let back = text.indexOf('\r', start);
    while (feed !== -1 || back !== -1) {
      const isFeed = back === -1 || (feed !== -1 && feed < back);
      const end = isFeed ? feed : back;
      this.readLine(text, start, end);
      start = end + 1;
      if (!isFeed && start === text.length) this.isAfterReturn = true;
      else if (!isFeed && feed === start) start += 1;
      if (feed !== -1 && feed < start) feed = text.indexOf('\n', start);
      if (back !== -1 && back < start) back = text.indexOf('\r', start);
    }
    return start;
  }

  private readLine(text: string, start: number, end: number): void {
    if (start === end) this.endEvent();
    else if (text.startsWith('data:', start)) {
      this.addData(text.slice(text.charCodeAt(start + 5) === space ? start + 6 : start + 5, end));
    } else if (text.startsWith('event:', start)) {
      this.isError = text.startsWith('error', text.charCodeAt(start + 6) === space ? start + 7 : start + 6);
    } else if (!text.startsWith(':', start)) {
      const line = text.slice(start, end);
      if (line === 'data') this.addData('');
      else if (this.data.length > 0 && this.isOpen()) this.addData(line);
      else if (!/^(?:event|id|retry)(?::|$)/.test(line)) this.sink.onStray(line);
    }
  }

  /** Whether the JSON of the event that has not ended yet is incomplete. */
  private isOpen(): boolean {
    if (!/^\s*[{[]/.test(this.data[0]!)) return false;
    if (!this.json) {
      this.json = new OpenJson();
      for (const line of this.data) this.json.push(line);
    }
    return this.json.isOpen;
  }

  private addData(line: string): void {
    this.data.push(line);
    this.json?.push(line);
    this.dataChars += line.length + lineChars;
    this.checkSize();
  }

  private endEvent(): void {
    const { isError } = this;
    this.isError = false;
    this.json = undefined;
    if (this.data.length === 0) return;
    const data = this.data.length === 1 ? this.data[0]! : this.data.join('\n');
    this.data = [];
    this.dataChars = 0;
    this.sink.onData(data, isError);
  }
}
