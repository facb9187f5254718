import type { VoiceView } from '../../../src/protocol/voice';
import type { VoiceStrings } from '../../../src/protocol/voiceStrings';
import type { OpenMenu } from '../../components/menu';
import type { VoiceSession } from './session';

/** Shared by the components of the page. */
export interface ShownVoice {
  readonly session: VoiceSession;
  readonly strings: VoiceStrings;
  readonly openMenu: OpenMenu;
}

export interface VoiceProps {
  readonly shown: ShownVoice;
  readonly view: VoiceView;
}
