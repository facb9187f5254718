import type { VoiceNotice } from '../../../src/protocol/voice';
import { Note } from '../../components/note';

interface NoticeProps {
  readonly notice: VoiceNotice | undefined;
  readonly onAct: (id: string) => void;
}

export function Notice({ notice, onAct }: NoticeProps) {
  return notice ? <Note {...notice} onAct={onAct} /> : null;
}
