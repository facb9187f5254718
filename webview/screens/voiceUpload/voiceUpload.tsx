import { render } from 'preact';
import type { VoiceUploadScreen } from '../../../src/protocol/voiceUpload';
import { createAnnouncer } from '../../components/announcer';
import '../../components/parameters.css';
import '../../components/sendPage.css';
import '../../components/sendFields.css';
import type { Host } from '../../host';
import { UploadSession } from './session';
import { UploadPage } from './uploadPage';
import './voiceUpload.css';
import './fields.css';

export function mountVoiceUpload(root: HTMLElement, host: Host<VoiceUploadScreen>): void {
  const page = document.createElement('main');
  page.className = 'send-page sample';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new UploadSession(host, (text) => announcer.say(text));
  host.on('voiceUpload/changed', (view) => session.show(view));
  render(<UploadPage session={session} />, page);
  void session.start();
}
