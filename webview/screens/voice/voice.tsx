import { render } from 'preact';
import type { VoiceScreen } from '../../../src/protocol/voice';
import { createAnnouncer } from '../../components/announcer';
import { createMenus } from '../../components/menu';
import type { Host } from '../../host';
import { VoiceSession } from './session';
import './voice.css';
import { VoicePage } from './voicePage';

export function mountVoice(root: HTMLElement, host: Host<VoiceScreen>): void {
  const page = document.createElement('main');
  page.className = 'voice';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new VoiceSession(host, (text) => announcer.say(text), createMenus(page));
  host.on('voice/changed', (view) => session.show(view));
  render(<VoicePage session={session} />, page);
  void session.start();
}
