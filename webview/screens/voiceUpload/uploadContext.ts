import type { VoiceUploadStrings } from '../../../src/protocol/voiceUploadStrings';
import type { UploadSession } from './session';

/** Shared by the components of the page. */
export interface Upload {
  readonly session: UploadSession;
  readonly strings: VoiceUploadStrings;
}
