import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import { parseJSONRPCMessage, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { isObject } from '../../core/api/isObject';
import { depthOf } from '../../core/batch/scan/jsonTree';

const maxLineBytes = 10 * 1024 * 1024;
/** No message nests nearly as deeply, and a parsed value of ten million brackets takes fifty times the memory of its line. */
const deepestMessage = 500;

/**
 * Reads and writes JSON-RPC messages, one per line. An invalid line is answered with an error if its sender expects a response, otherwise
 * skipped; reading continues with the next line. The SDK's own transport stops for good at a long line and never answers an invalid one.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private buffered: Buffer[] = [];
  private bufferedBytes = 0;
  /** Outline of the current line, once it is too long to buffer. */
  private outline: LineOutline | undefined;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {}

  async start(): Promise<void> {
    this.input.on('data', this.read);
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.write(message);
  }

  async close(): Promise<void> {
    this.input.off('data', this.read);
    this.input.pause();
    this.onclose?.();
  }

  private readonly read = (chunk: Buffer): void => {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      this.keep(chunk.subarray(from, end));
      this.endLine();
      from = end + 1;
    }
    this.keep(chunk.subarray(from));
  };

  private keep(part: Buffer): void {
    this.bufferedBytes += part.length;
    if (!this.outline && this.bufferedBytes <= maxLineBytes) {
      this.buffered.push(part);
      return;
    }
    if (!this.outline) {
      this.outline = new LineOutline();
      for (const earlier of this.buffered.splice(0)) this.outline.push(earlier);
    }
    this.outline.push(part);
  }

  private endLine(): void {
    const { outline } = this;
    const line = Buffer.concat(this.buffered);
    this.buffered = [];
    this.bufferedBytes = 0;
    this.outline = undefined;
    if (outline) this.refuse(ProtocolErrorCode.InvalidRequest, 'The line is longer than 10 MB.', outline.members);
    else this.readLine(line);
  }

  private readLine(line: Buffer): void {
    // `trim` also removes a byte order mark.
    const text = line.toString('utf8').trim();
    if (text === '') return;
    if (depthOf(text) > deepestMessage) {
      this.refuse(ProtocolErrorCode.InvalidRequest, 'The line nests too deeply.', membersOf(line));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.refuse(ProtocolErrorCode.ParseError, 'The line is not JSON.', {});
      return;
    }
    const members = isObject(value) ? value : {};
    if (!isUtf8(line)) {
      this.refuse(ProtocolErrorCode.ParseError, 'The line is not UTF-8.', members);
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.refuse(ProtocolErrorCode.InvalidRequest, 'The line is not a JSON-RPC 2.0 message.', members);
      return;
    }
    this.onmessage?.(message);
  }

  private refuse(code: ProtocolErrorCode, message: string, members: Members): void {
    const id = idToAnswer(members);
    if (id === undefined) this.onerror?.(new Error(message));
    else
      void this.write({ jsonrpc: '2.0', id, error: { code, message } }).catch((error: Error) => this.onerror?.(error));
  }

  private write(value: object): Promise<void> {
    return new Promise((resolve, reject) => {
      this.output.write(`${JSON.stringify(value)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }
}

function membersOf(line: Buffer): Members {
  const outline = new LineOutline();
  outline.push(line);
  return outline.members;
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the id to respond to; `undefined` if no response is expected: for a notification, or a response to one of our own requests. */
function idToAnswer(members: Members): string | number | null | undefined {
  const { id } = members;
  const isRequest = 'method' in members;
  if (isRequest ? !('id' in members) : 'result' in members || 'error' in members) return undefined;
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : null;
}

const lineFeed = 0x0a;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const brackets = { open: new Set([0x5b, 0x7b]), close: new Set([0x5d, 0x7d]) };
const maxTokenBytes = 1024;

/** Parses the top-level members of a line without buffering it: short strings and numbers by value, anything else as `undefined`. */
class LineOutline {
  readonly members: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  private depth = 0;
  private isInText = false;
  private isEscaped = false;
  private name: string | undefined;
  /** Bytes since the last top-level delimiter; `undefined` once they exceed the limit or turn out to be a nested value. */
  private token: number[] | undefined = [];

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.isInText) this.readText(byte);
      else this.readSign(byte);
    }
  }

  private readText(byte: number): void {
    this.add(byte);
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === backslash) this.isEscaped = true;
    else if (byte === quote) this.isInText = false;
  }

  private readSign(byte: number): void {
    const isTop = this.depth === 1;
    if (byte === quote) {
      this.isInText = true;
      this.add(byte);
    } else if (brackets.open.has(byte)) {
      if (isTop) this.token = undefined;
      this.depth += 1;
    } else if (brackets.close.has(byte)) {
      if (isTop) this.endMember();
      this.depth -= 1;
    } else if (isTop && byte === colon) {
      const name = this.takeToken();
      this.name = typeof name === 'string' ? name : undefined;
    } else if (isTop && byte === comma) this.endMember();
    else this.add(byte);
  }

  private add(byte: number): void {
    if (this.depth !== 1 || !this.token) return;
    if (this.token.length < maxTokenBytes) this.token.push(byte);
    else this.token = undefined;
  }

  private endMember(): void {
    const value = this.takeToken();
    if (this.name !== undefined) this.members[this.name] = value;
    this.name = undefined;
  }

  private takeToken(): unknown {
    const { token } = this;
    this.token = [];
    try {
      return token && JSON.parse(Buffer.from(token).toString('utf8'));
    } catch {
      return undefined;
    }
  }
}
