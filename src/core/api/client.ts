import { createAccount } from './account/account';
import type { AccountInfo } from './account/account.schema';
import { createBatches } from './batches/batches';
import type { Batch, BatchPage, BatchRequest } from './batches/batches.schema';
import { createChatCompletions } from './chatCompletions/chatCompletions';
import type { ChatCompletion, ChatCompletionEvent } from './chatCompletions/chatCompletionEvents';
import type { ChatCompletionRequest } from './chatCompletions/chatCompletions.schema';
import { createCompletions } from './completions/completions';
import type { Completion, CompletionEvent } from './completions/completionEvents';
import type { CompletionRequest } from './completions/completions.schema';
import { createEmbeddings } from './embeddings/embeddings';
import type { EmbeddingRequest, Embeddings } from './embeddings/embeddings.schema';
import type { Exchange } from './exchange';
import { createFiles } from './files/files';
import type { RemoteFile } from './files/files.schema';
import { createImages } from './images/images';
import type { GeneratedImages, ImageRequest } from './images/images.schema';
import type { Message, MessageEvent } from './messages/messageEvents';
import { createMessages } from './messages/messages';
import type { MessageRequest } from './messages/messages.schema';
import { createModels } from './models/models';
import type { ModelInfo, ModelListRequest } from './models/models.schema';
import type { OfferStore } from './offers';
import type { ParameterWarning } from './parameters';
import { createRerank } from './rerank/rerank';
import type { Ranking, RerankRequest } from './rerank/rerank.schema';
import { createSpeech } from './speech/speech';
import type { Speech, SpeechRequest } from './speech/speech.schema';
import { createTranscriptions } from './transcriptions/transcriptions';
import type { Transcription, TranscriptionRequest } from './transcriptions/transcriptions.schema';
import { createApiTransport } from './transport/apiTransport';
import type { CallWatch, Downloaded, DownloadRequest, HttpStack, Timers, Work } from './transport/transport';
import type { GateWait } from './transport/gate';
import { createVideos } from './videos/videos';
import type { VideoRequest, VideoStatus } from './videos/videos.schema';
import { createVoices } from './voices/voices';
import type { Voice, VoiceRequest } from './voices/voices.schema';

/**
 * The service, one noun per part of it. Every method sends only what the caller set, checks it against the specification's
 * bounds first, and throws nothing but `ApiError`. A stream's request is aborted when its loop is left.
 */
export interface Client {
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
  /** Saves what an address in an answer leads to. The key is never sent with it. */
  download(request: Omit<DownloadRequest, 'signal'>, signal?: AbortSignal): Promise<Downloaded>;
  /** Ends open connections; calls under way fail. */
  close(): Promise<void>;
}

export interface ClientOptions {
  /** Ends in the version segment, `https://host/v1`; a slash after it is allowed. */
  readonly baseUrl: string;
  /** Asked before every request, never kept. `undefined`: the call fails with kind `auth`, nothing is sent. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly stack: HttpStack;
  readonly offers: OfferStore;
  /** Every call that was sent, when it ended. Must not throw. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** A call begins to wait: at a rate limit, or before it is repeated. Must not throw. */
  readonly onWait?: ((wait: GateWait) => void) | undefined;
  /** In place of the defaults, by kind of work. */
  readonly timers?: Readonly<Partial<Record<Work, Partial<Timers>>>> | undefined;
  readonly limits?: ClientLimits | undefined;
  /** Unix milliseconds. */
  readonly clock?: (() => number) | undefined;
  /** 0 up to 1. */
  readonly random?: (() => number) | undefined;
  /** Rejects when the signal aborts. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

export interface ClientLimits {
  /** An answer read whole is refused beyond it. Default 64 MiB. */
  readonly answerBytes?: number;
  /** One event of a stream is refused beyond it. Default 16 Mi characters. */
  readonly eventChars?: number;
  /** How much of each body an exchange keeps. Default 256 Ki characters. */
  readonly exchangeChars?: number;
}

export interface Messages {
  create(request: MessageRequest, signal?: AbortSignal): Promise<Message>;
  stream(request: MessageRequest & Watched, signal?: AbortSignal): AsyncIterable<MessageEvent>;
  warnings(request: MessageRequest): readonly ParameterWarning[];
}

export interface Completions {
  create(request: CompletionRequest, signal?: AbortSignal): Promise<Completion>;
  stream(request: CompletionRequest, signal?: AbortSignal): AsyncIterable<CompletionEvent>;
  warnings(request: CompletionRequest): readonly ParameterWarning[];
}

export interface ChatCompletions {
  create(request: ChatCompletionRequest, signal?: AbortSignal): Promise<ChatCompletion>;
  stream(request: ChatCompletionRequest, signal?: AbortSignal): AsyncIterable<ChatCompletionEvent>;
  warnings(request: ChatCompletionRequest): readonly ParameterWarning[];
}

export interface Reranks {
  create(request: RerankRequest, signal?: AbortSignal): Promise<Ranking>;
  warnings(request: RerankRequest): readonly ParameterWarning[];
}

export interface Images {
  generate(request: ImageRequest, signal?: AbortSignal): Promise<GeneratedImages>;
  warnings(request: ImageRequest): readonly ParameterWarning[];
}

export interface Videos {
  submit(request: VideoRequest, signal?: AbortSignal): Promise<{ readonly requestId: string }>;
  status(request: { readonly requestId: string }, signal?: AbortSignal): Promise<VideoStatus>;
  warnings(request: VideoRequest): readonly ParameterWarning[];
}

export interface Voices {
  upload(request: VoiceRequest & Progress, signal?: AbortSignal): Promise<{ readonly uri: string }>;
  list(signal?: AbortSignal): Promise<readonly Voice[]>;
  delete(request: { readonly uri: string }, signal?: AbortSignal): Promise<void>;
}

export interface Files {
  /** `filename` defaults to the path's own. */
  upload(
    request: { readonly path: string; readonly filename?: string | undefined } & Progress,
    signal?: AbortSignal,
  ): Promise<RemoteFile>;
  list(request: { readonly limit?: number | undefined }, signal?: AbortSignal): Promise<readonly RemoteFile[]>;
  /** Saves a file's content. `file` is an id, or the address a batch names in its place. */
  content(
    request: { readonly file: string } & Omit<DownloadRequest, 'url' | 'signal'>,
    signal?: AbortSignal,
  ): Promise<Downloaded>;
}

export interface Batches {
  create(request: BatchRequest, signal?: AbortSignal): Promise<Batch>;
  list(request?: { readonly limit?: number; readonly after?: string }, signal?: AbortSignal): Promise<BatchPage>;
  retrieve(request: { readonly id: string }, signal?: AbortSignal): Promise<Batch>;
  cancel(request: { readonly id: string }, signal?: AbortSignal): Promise<Batch>;
  warnings(request: BatchRequest): readonly ParameterWarning[];
}

export interface Models {
  /** In the service's own order, which has meaning. */
  list(request: ModelListRequest, signal?: AbortSignal): Promise<readonly ModelInfo[]>;
}

export interface Accounts {
  info(signal?: AbortSignal): Promise<AccountInfo>;
}

export interface Speeches {
  create(request: SpeechRequest, signal?: AbortSignal): Promise<Speech>;
  warnings(request: SpeechRequest): readonly ParameterWarning[];
}

export interface Transcriptions {
  create(request: TranscriptionRequest & Progress, signal?: AbortSignal): Promise<Transcription>;
}

export interface EmbeddingsNoun {
  create(request: EmbeddingRequest, signal?: AbortSignal): Promise<Embeddings>;
  warnings(request: EmbeddingRequest): readonly ParameterWarning[];
}

interface Watched {
  readonly watch?: CallWatch | undefined;
}

interface Progress {
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}

export function createClient(options: ClientOptions): Client {
  const transport = createApiTransport(options);
  return Object.freeze<Client>({
    messages: createMessages(transport),
    completions: createCompletions(transport),
    chatCompletions: createChatCompletions(transport),
    rerank: createRerank(transport),
    images: createImages(transport),
    videos: createVideos(transport),
    voices: createVoices(transport),
    files: createFiles(transport),
    batches: createBatches(transport),
    models: createModels(transport),
    account: createAccount(transport),
    speech: createSpeech(transport),
    transcriptions: createTranscriptions(transport),
    embeddings: createEmbeddings(transport),
    download: (request, signal) => transport.download({ ...request, ...(signal ? { signal } : {}) }),
    close: () => options.stack.close(),
  });
}
