import '../../schema/jitless';
import { createAccount, type Accounts } from './account/account';
import { createBatches, type Batches } from './batches/batches';
import { createChat, hasChat, type Chat } from './chat/chat';
import type { Dialect } from './chat/chatWays';
import { createChatCompletions, type ChatCompletions } from './chatCompletions/chatCompletions';
import type { ClientOptions } from './clientOptions';
import { createCompletions, type Completions } from './completions/completions';
import { createEmbeddings, type EmbeddingsNoun } from './embeddings/embeddings';
import { createFiles, type Files } from './files/files';
import { createImages, type Images } from './images/images';
import { createMessages, type Messages } from './messages/messages';
import { createLearnedStore } from './learned';
import { createModels, type Models } from './models/models';
import { createRerank, type Reranks } from './rerank/rerank';
import { createSpeech, type Speeches } from './speech/speech';
import { createTranscriptions, type Transcriptions } from './transcriptions/transcriptions';
import { createApiTransport } from './transport/apiTransport';
import type { Downloaded, DownloadRequest } from './transport/transport';
import { createVideos, type Videos } from './videos/videos';
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
  return Object.freeze<Client>({
    chat: createChat(transport, options),
    messages: createMessages(transport, options),
    completions: createCompletions(transport, options),
    chatCompletions: createChatCompletions(transport, options),
    rerank: createRerank(transport, options),
    images: createImages(transport, options),
    videos: createVideos(transport, options),
    voices: createVoices(transport),
    files: createFiles(transport),
    batches: createBatches(transport, options),
    models: createModels(transport, options),
    account: createAccount(transport, options),
    speech: createSpeech(transport),
    transcriptions: createTranscriptions(transport),
    embeddings: createEmbeddings(transport, options),
    download: (request, signal) => transport.download({ ...request, ...(signal ? { signal } : {}) }),
    hasChat: (first, signal) => hasChat(transport, first, signal),
    close: () => options.stack.close(),
  });
}
