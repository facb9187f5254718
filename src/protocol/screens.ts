import type { ActivityScreen } from './activity';
import type { BatchCompareScreen } from './batchCompare';
import type { BatchPreviewScreen } from './batchPreview';
import type { BatchSubmitScreen } from './batchSubmit';
import type { BatchResultsScreen } from './batchResults';
import type { ChatScreen } from './chat';
import type { EditorChatScreen } from './editorChat';
import type { EvalResultsScreen } from './evalResults';
import type { ImagesScreen } from './images';
import type { GalleryScreen } from './gallery';
import type { ModelCheckScreen } from './modelCheck';
import type { RerankScreen } from './rerank';
import type { CompletionScreen } from './completion';
import type { VideosScreen } from './videos';
import type { VoiceScreen } from './voice';
import type { VoiceUploadScreen } from './voiceUpload';

/** Every screen of the webview. A new screen takes one file next to this one and one line here. */
export interface Screens {
  readonly activity: ActivityScreen;
  readonly chat: ChatScreen;
  readonly editorChat: EditorChatScreen;
  readonly batchPreview: BatchPreviewScreen;
  readonly batchSubmit: BatchSubmitScreen;
  readonly batchResults: BatchResultsScreen;
  readonly batchCompare: BatchCompareScreen;
  readonly evalResults: EvalResultsScreen;
  readonly modelCheck: ModelCheckScreen;
  readonly rerank: RerankScreen;
  readonly completion: CompletionScreen;
  readonly images: ImagesScreen;
  readonly videos: VideosScreen;
  readonly gallery: GalleryScreen;
  readonly voice: VoiceScreen;
  readonly voiceUpload: VoiceUploadScreen;
}

export type ScreenId = keyof Screens;
