import { useLayoutEffect, useRef, useId } from 'preact/hooks';
import { type VoiceView, longestNote } from '../../../src/protocol/voice';
import type { WireError } from '../../../src/protocol/wire';
import { Notice } from './notice';
import { SpeakForm } from './speakForm';
import { Transcription } from './transcription';
import type { ShownVoice, VoiceProps } from './voiceContext';
import { useSignal } from '@preact/signals';
import { fill } from '../../components/fill';
import { CompareTakes } from './compareTakes';
import { Take } from './take';
import { IconButton } from '../../components/iconButton';
import { Player } from './player';

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

/** The number of clips shown until the user requests all. */
const shownAtFirst = 10;

/** The clips of the voice. */
function TakeList({ shown, view }: VoiceProps) {
  const { session, strings } = shown;
  const isWhole = useSignal(false);
  const takes = isWhole.value ? view.takes : view.takes.slice(0, shownAtFirst);
  return (
    <section class="voice-section" aria-labelledby="voice-takes">
      <h2 id="voice-takes">{strings.takesHeading}</h2>
      <Notice notice={view.takesTrouble} onAct={(id) => session.act(id)} />
      {view.takes.length === 0 && !view.takesTrouble && <p class="voice-muted">{strings.takesEmpty}</p>}
      <CompareTakes shown={shown} view={view} />
      <ol class="voice-takes">
        {takes.map((take) => (
          <Take key={take.id} shown={shown} take={take} isNew={take.id === view.newTake} />
        ))}
      </ol>
      {takes.length < view.takes.length && (
        <button type="button" class="link" onClick={() => (isWhole.value = true)}>
          {fill(strings.showAllTakes, view.takes.length)}
        </button>
      )}
    </section>
  );
}

/** The user's notes on the voice. */
function NoteForm({ shown: { session, strings }, view }: VoiceProps) {
  const id = useId();
  const { text, isAllowed } = session.note.value ?? view.note;
  return (
    <section class="voice-section" aria-labelledby="voice-note">
      <h2 id="voice-note">{strings.noteHeading}</h2>
      <div class="parameter">
        <label class="parameter-label" for={id}>
          {strings.noteLabel}
        </label>
        <textarea
          id={id}
          class="parameter-input voice-note"
          rows={2}
          dir="auto"
          maxLength={longestNote}
          placeholder={strings.notePlaceholder}
          aria-describedby={`${id}-hint`}
          value={text}
          onInput={({ currentTarget }) => session.writeNote({ text: currentTarget.value })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={isAllowed}
            onChange={({ currentTarget }) => session.writeNote({ isAllowed: currentTarget.checked })}
          />
          {strings.noteAllowed}
        </label>
        <span class="parameter-hint" id={`${id}-hint`}>
          {strings.noteAbout} {view.note.writtenAt !== '' && fill(strings.noteWritten, view.note.writtenAt)}
        </span>
      </div>
    </section>
  );
}

/** Facts about the voice, and the recording it was created from. */
function AboutVoice({ shown, view }: VoiceProps) {
  const { session, strings } = shown;
  return (
    <section class="voice-section" aria-labelledby="voice-about">
      <h2 id="voice-about">{strings.about}</h2>
      <dl class="voice-facts">
        <div>
          <dt>{strings.model}</dt>
          <dd>{view.model || strings.notSaid}</dd>
        </div>
        {!view.isBuiltIn && (
          <div>
            <dt>{strings.spokenText}</dt>
            <dd class="voice-said" dir="auto">
              {view.text || strings.notSaid}
            </dd>
          </div>
        )}
        <div>
          <dt>{strings.uri}</dt>
          <dd class="voice-uri">
            <code dir="ltr">{view.uri}</code>
            <span class="voice-icons">
              <IconButton icon="copy" label={strings.copyUri} onClick={() => session.do('copyUri')} />
              <IconButton icon="insert" label={strings.insertUri} onClick={() => session.do('insertUri')} />
            </span>
          </dd>
        </div>
        {view.sample && (
          <div>
            <dt>{strings.sample}</dt>
            <dd>
              {view.sample.name}
              {view.sample.src === '' ? (
                <span class="voice-muted">{fill(strings.sampleGone, view.sample.place)}</span>
              ) : (
                <Player src={view.sample.src} label={strings.playSample} cannotPlay={strings.cannotPlay} />
              )}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
