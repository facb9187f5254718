import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '../../src/core/api/client';
import type { ApiErrorKind } from '../../src/core/api/errorKinds';
import type { ApiError, ErrorHint } from '../../src/core/api/errors';
import { createTestClient, drain, failureOf } from './apiClient';
import { type FixtureServer, startFixtureServer } from './fixtureServer';

/** A response of real services and servers, and the expected result. */
export interface ErrorCase {
  readonly name: string;
  readonly problem: string;
  readonly call: keyof typeof calls;
  /** Whether the service runs on this machine or in a private network. */
  readonly selfHosted?: boolean;
  readonly batchesAvoidLimits?: boolean;
  /** The path of the base URL if it isn't `v1`. */
  readonly base?: string;
  readonly answer: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
  readonly expected: {
    readonly kind: ApiErrorKind;
    readonly hint?: ErrorHint;
    readonly message?: string;
    readonly code?: number | string;
    readonly parameter?: string;
    readonly limit?: string;
    readonly affordableTokens?: number;
    /** How often the call is sent. */
    readonly sent?: number;
    readonly billed?: boolean;
    /** What a user reads: the title, patterns that the text must or must not match, and the IDs of the actions. */
    readonly title?: string;
    readonly detail?: string;
    readonly not?: string;
    readonly actions?: readonly string[];
    /** Patterns that the message for a model must or must not match. */
    readonly tool?: string;
    readonly toolNot?: string;
  };
}

const messages = [{ role: 'user', content: 'Hi' }] as const;

const calls = {
  chat: async (client: Client) => {
    const { error } = await drain(client.chatCompletions.chunks({ model: 'some/model', messages }));
    return error ?? failureOf(Promise.resolve());
  },
  messages: (client: Client) =>
    failureOf(client.messages.create({ model: 'some/model', max_tokens: 9, messages: [...messages] })),
  rerank: (client: Client) => failureOf(client.rerank.create({ model: 'some/model', query: 'q', documents: ['d'] })),
  images: (client: Client) => failureOf(client.images.generate({ model: 'some/model', prompt: 'a cat' })),
  models: (client: Client) => failureOf(client.models.list({})),
  files: (client: Client) => failureOf(client.files.list({})),
  batch: (client: Client) => failureOf(client.batches.retrieve({ id: 'batch_1' })),
  balance: (client: Client) => failureOf(client.account.info()),
  upload: (client: Client) =>
    failureOf(
      client.voices.upload({
        model: 'm',
        customName: 'n',
        text: 't',
        sample: { audio: 'data:audio/mpeg;base64,AAAA' },
      }),
    ),
} as const;

/** Rejections of a chat, in the format of one service each. */
interface Rejections {
  readonly rejections: readonly {
    readonly of: string;
    readonly status: number;
    readonly body: unknown;
    readonly kind: ApiErrorKind;
    readonly hint?: ErrorHint;
    readonly limit?: string;
  }[];
}

/** `root`: the folder of the project. */
export function readErrorCases(root: string): readonly ErrorCase[] {
  const folder = path.join(root, 'test/cases/chat/errors');
  return readdirSync(folder)
    .toSorted()
    .flatMap((file): readonly ErrorCase[] => {
      const read = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as ErrorCase | Rejections;
      const name = path.basename(file, '.json');
      if (!('rejections' in read)) return [{ ...read, name }];
      return read.rejections.map(({ of, status, body, ...expected }) => {
        return { name: `${name}: ${of}`, problem: of, call: 'chat', answer: { status, body }, expected };
      });
    });
}

/** Sends the case's call to a real server that returns its response. */
export async function runErrorCase(one: ErrorCase): Promise<{ readonly error: ApiError; readonly sent: number }> {
  const server: FixtureServer = await startFixtureServer();
  try {
    const { status, headers, body } = one.answer;
    server.answer({
      status,
      ...(headers && { headers }),
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const baseUrl = one.base === undefined ? server.baseUrl : new URL(`/${one.base}`, server.baseUrl).href;
    const { client } = createTestClient(baseUrl, {
      hasPrices: one.selfHosted !== true,
      batchesAvoidLimits: one.batchesAvoidLimits,
    });
    const error = await calls[one.call](client);
    return { error, sent: server.seen.length };
  } finally {
    await server.close();
  }
}
