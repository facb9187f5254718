import { useLayoutEffect, useRef } from 'preact/hooks';
import type { VoiceView } from '../../../src/protocol/voice';
import type { WireError } from '../../../src/protocol/wire';
import { AboutVoice } from './aboutVoice';
import { NoteForm } from './noteForm';
import { Notice } from './notice';
import { SpeakForm } from './speakForm';
import { TakeList } from './takeList';
import { Transcription } from './transcription';
import type { ShownVoice } from './voiceContext';

/** A voice: its details, a form to generate speech, and its clips. */
export function VoicePage({ shown }: { readonly shown: ShownVoice }) {
  const { session, strings } = shown;
  const view = session.view.value;
  const trouble = session.trouble.value;
  if (!view) return <p class="voice-loading">{strings.loading}</p>;
  return (
    <div class="voice-page">
      <Head shown={shown} view={view} />
      <Notice notice={view.trouble} onAct={(id) => session.act(id)} />
      {trouble && <Trouble key={trouble.detail} trouble={trouble} onAct={(id) => session.act(id)} />}
      <div class="voice-columns">
        <div class="voice-main">
          <SpeakForm shown={shown} view={view} />
          <TakeList shown={shown} view={view} />
        </div>
        <div class="voice-side">
          <AboutVoice shown={shown} view={view} />
          {!view.isBuiltIn && <NoteForm shown={shown} view={view} />}
          <Transcription shown={shown} view={view} />
        </div>
      </div>
    </div>
  );
}

interface TroubleProps {
  readonly trouble: WireError;
  readonly onAct: (id: string) => void;
}

/** The error of a click somewhere below, scrolled into view. */
function Trouble({ trouble, onAct }: TroubleProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={place}>
      <Notice notice={{ tone: 'error', ...trouble }} onAct={onAct} />
    </div>
  );
}

function Head({ shown: { session, strings }, view }: { readonly shown: ShownVoice; readonly view: VoiceView }) {
  return (
    <header class="voice-head">
      <div class="voice-title">
        <h1 class="few-lines" dir="auto" title={view.name}>
          {view.name}
        </h1>
        <p class="voice-muted">{view.isLoading ? strings.loading : view.isBuiltIn ? strings.builtIn : strings.style}</p>
      </div>
      <div class="voice-head-actions">
        <button type="button" class="link" onClick={() => session.do('other')}>
          {strings.otherVoice}
        </button>
        {view.canDelete && (
          <button type="button" class="link" onClick={() => session.do('delete')}>
            {strings.deleteVoice}
          </button>
        )}
      </div>
    </header>
  );
}
