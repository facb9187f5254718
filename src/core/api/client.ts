import '../../schema/jitless';
import * as z from 'zod/mini';
import { createAccount, type Accounts } from './account/account';
import { withOwn } from './bounds';
import { createBatches, type Batches } from './batches/batches';
import { createMessageBatches, createOpenRouterBatches } from './batches/inlineBatches';
import { batchBounds } from './batches/batches.bounds';
import { createChat, type Chat } from './chat/chat';
import { chatWayOf, serviceOf, type Dialect, chatPaths } from './chat/chatWays';
import { withMessagesInPlace } from './chat/writtenByMessages';
import { createChatCompletions, type ChatCompletions } from './chatCompletions/chatCompletions';
import { chatCompletionBounds } from './chatCompletions/chatCompletions.bounds';
import type { ClientOptions } from './clientOptions';
import { createCompletions, type Completions } from './completions/completions';
import { completionBounds } from './completions/completions.bounds';
import { createEmbeddings, type EmbeddingsNoun } from './embeddings/embeddings';
import { embeddingBounds } from './embeddings/embeddings.bounds';
import { isApiError } from './errors';
import { createFiles, type Files } from './files/files';
import { createImages, type Images } from './images/images';
import { imageBounds } from './images/images.bounds';
import { createMessages, type Messages } from './messages/messages';
import { messageBounds } from './messages/messages.bounds';
import { createLearnedStore } from './learned';
import { createModels, type Models } from './models/models';
import { createRerank, type Reranks } from './rerank/rerank';
import { rerankBounds } from './rerank/rerank.bounds';
import { createSpeech, type Speeches } from './speech/speech';
import { createTranscriptions, type Transcriptions } from './transcriptions/transcriptions';
import { createApiTransport } from './transport/apiTransport';
import type { Downloaded, DownloadRequest, Transport } from './transport/transport';
import { createVideos, type Videos } from './videos/videos';
import { videoBounds } from './videos/videos.bounds';
import { createVoices, type Voices } from './voices/voices';

/**
 * The service's API, one property per resource. Every method sends only what the caller set, checks it against the specification's
 * bounds first, and throws nothing but `ApiError`. Leaving the loop over a stream aborts its request.
 */
export interface Client {
  readonly chat: Chat;
  readonly messages: Messages;
  readonly completions: Completions;
  readonly chatCompletions: ChatCompletions;
  readonly rerank: Reranks;
  readonly images: Images;
  readonly videos: Videos;
  readonly voices: Voices;
  readonly files: Files;
  readonly batches: Batches;
  readonly models: Models;
  readonly account: Accounts;
  readonly speech: Speeches;
  readonly transcriptions: Transcriptions;
  readonly embeddings: EmbeddingsNoun;
  /** Saves the file at an address from a response. Never sends the key to it. */
  download(request: Omit<DownloadRequest, 'signal'>, signal?: AbortSignal): Promise<Downloaded>;
  /**
   * Resolves with whether the service has an endpoint for chat, at no cost. Throws kind `auth` if it refuses the key. `first`: the endpoint to
   * try first.
   */
  hasChat(first: Dialect, signal?: AbortSignal): Promise<boolean>;
  /** Closes open connections; calls in progress fail. */
  close(): Promise<void>;
}

export function createClient(settings: ClientOptions): Client {
  const options = { ...settings, learned: settings.learned ?? createLearnedStore() };
  const transport = createApiTransport(options);
  const own = options.bounds ?? {};
  const messages = createMessages(transport, withOwn(messageBounds, own.messages));
  const service = serviceOf(options);
  return Object.freeze<Client>({
    chat: createChat(transport, options),
    messages,
    completions: createCompletions(transport, options, withOwn(completionBounds, own.completions)),
    chatCompletions: createChatCompletions(
      service === 'anthropic' ? withMessagesInPlace(transport, service) : transport,
      withOwn(chatCompletionBounds, own.chatCompletions),
      chatWayOf(service).asksUsageOfWritten,
    ),
    rerank: createRerank(transport, options, withOwn(rerankBounds, own.rerank)),
    images: createImages(transport, options.baseUrl, withOwn(imageBounds, own.images)),
    videos: createVideos(transport, withOwn(videoBounds, own.videos)),
    voices: createVoices(transport),
    files: createFiles(transport),
    batches: batchesOf(service, transport, withOwn(batchBounds, own.batches)),
    models: createModels(transport, options),
    account: createAccount(transport, options),
    speech: createSpeech(transport),
    transcriptions: createTranscriptions(transport),
    embeddings: createEmbeddings(transport, withOwn(embeddingBounds, own.embeddings)),
    download: (request, signal) => transport.download({ ...request, ...(signal ? { signal } : {}) }),
    hasChat: (first, signal) => hasChat(transport, first, signal),
    close: () => options.stack.close(),
  });
}

function batchesOf(service: string | undefined, transport: Transport, bounds: typeof batchBounds): Batches {
  if (service === 'anthropic') return createMessageBatches(transport);
  return service === 'openrouter' ? createOpenRouterBatches(transport) : createBatches(transport, bounds);
}

/**
 * Resolves with whether a service has an endpoint for chat. Sends requests without content, which every service refuses, so they cost
 * nothing. Throws kind `auth` if the key is refused, and what kept the service from answering. `first`: the endpoint to try first.
 */
async function hasChat(transport: Transport, first: Dialect, signal: AbortSignal | undefined): Promise<boolean> {
  const paths = first === 'messages' ? Object.values(chatPaths) : Object.values(chatPaths).toReversed();
  for (const path of paths) if (await isThere(transport, path, signal)) return true;
  return false;
}

async function isThere(transport: Transport, path: string, signal: AbortSignal | undefined): Promise<boolean> {
  const call = { method: 'POST', path, work: 'read', signal } as const;
  try {
    await transport.json({ ...call, body: {}, response: z.unknown() });
    return true;
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (['notOffered', 'notFound', 'badResponse'].includes(error.kind)) return false;
    if (error.kind === 'auth' || error.details.status === undefined) throw error;
    return true;
  }
}
