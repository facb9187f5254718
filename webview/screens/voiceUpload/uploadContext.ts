import type { VoiceUploadStrings } from '../../../src/protocol/voiceUploadStrings';
import type { UploadSession } from './session';

/** What every part of the page is given. */
export interface Upload {
  readonly session: UploadSession;
  readonly strings: VoiceUploadStrings;
}
