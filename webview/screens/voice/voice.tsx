import { render } from 'preact';
import * as l10n from '@vscode/l10n';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { createAnnouncer } from '../../components/announcer';
import { createMenus } from '../../components/menu';
import type { Host } from '../../host';
import { pageNumber } from '../../components/pageLanguage';
import { voiceBounds } from '../../../src/protocol/mediaBounds';
import type { TakeStep, VoiceScreen, VoiceTake, VoiceView } from '../../../src/protocol/voice';
import type { WireError } from '../../../src/protocol/wire';
import { IconButton, MoreButton } from '../../components/iconButton';
import { ComboBox } from '../../components/comboBox';
import { type VoiceProps, VoiceSession } from './session';
import './voice.css';
import { Notice } from './notice';
import { SpeakForm } from './speakForm';
import { CompareTakes } from './compareTakes';
import { LastCost } from '../../components/lastCost';
import type { Ref } from 'preact';

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

/** A voice: its details, a form to generate speech, and its clips. */
function VoicePage({ session }: { readonly session: VoiceSession }) {
  const view = session.view.value;
  const error = session.error.value;
  if (!view) return <p class="voice-loading">{l10n.t('Loading…')}</p>;
  return (
    <div class="voice-page">
      <Head session={session} view={view} />
      <Notice notice={view.error} onAct={(id) => void session.ask('voice/act', { id })} />
      {error && <ErrorNote key={error.detail} error={error} onAct={(id) => void session.ask('voice/act', { id })} />}
      <div class="voice-columns">
        <div class="voice-main">
          <SpeakForm session={session} view={view} />
          <TakeList session={session} view={view} />
        </div>
        <div class="voice-side">
          <AboutVoice session={session} view={view} />
          {!view.isBuiltIn && <NoteForm session={session} view={view} />}
          {(view.canTranscribe || view.transcript || view.transcriptError) && (
            <Transcription session={session} view={view} />
          )}
        </div>
      </div>
    </div>
  );
}

interface ErrorNoteProps {
  readonly error: WireError;
  readonly onAct: (id: string) => void;
}

/** The error of a click somewhere below, scrolled into view. */
function ErrorNote({ error, onAct }: ErrorNoteProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={place}>
      <Notice notice={{ tone: 'error', ...error }} onAct={onAct} />
    </div>
  );
}

function Head({ session, view }: { readonly session: VoiceSession; readonly view: VoiceView }) {
  return (
    <header class="voice-head">
      <div class="voice-title">
        <h1 class="few-lines" dir="auto" title={view.name}>
          {view.name}
        </h1>
        <p class="voice-muted">
          {view.isLoading ? l10n.t('Loading…') : view.isBuiltIn ? l10n.t('Built-in voice') : l10n.t('Custom voice')}
        </p>
      </div>
      <div class="voice-head-actions">
        <button type="button" class="link" onClick={() => session.do('other')}>
          {l10n.t('Open Another Voice…')}
        </button>
        {view.canDelete && (
          <button type="button" class="link" onClick={() => session.do('delete')}>
            {l10n.t('Delete Voice…')}
          </button>
        )}
      </div>
    </header>
  );
}

/** The number of clips shown until the user requests all. */
const shownAtFirst = 10;

/** The clips of the voice. */
function TakeList({ session, view }: VoiceProps) {
  const isWhole = useSignal(false);
  const takes = isWhole.value ? view.takes : view.takes.slice(0, shownAtFirst);
  return (
    <section class="voice-section" aria-labelledby="voice-takes">
      <h2 id="voice-takes">{l10n.t('Clips')}</h2>
      <Notice notice={view.takesError} onAct={(id) => void session.ask('voice/act', { id })} />
      {view.takes.length === 0 && !view.takesError && (
        <p class="voice-muted">{l10n.t('No clips yet. Generate speech to add one.')}</p>
      )}
      <CompareTakes session={session} view={view} />
      <ol class="voice-takes">
        {takes.map((take) => (
          <Take key={take.id} session={session} take={take} isNew={take.id === view.newTake} />
        ))}
      </ol>
      {takes.length < view.takes.length && (
        <button type="button" class="link" onClick={() => (isWhole.value = true)}>
          {l10n.t('Show All {0} Clips', pageNumber(view.takes.length))}
        </button>
      )}
    </section>
  );
}

/** The user's notes on the voice. */
function NoteForm({ session, view }: VoiceProps) {
  const id = useId();
  const { text, isAllowed } = session.note.value ?? view.note;
  return (
    <section class="voice-section" aria-labelledby="voice-note">
      <h2 id="voice-note">{l10n.t('Consent and source')}</h2>
      <div class="parameter">
        <label class="parameter-label" for={id}>
          {l10n.t('Voice owner and recording source')}
        </label>
        <textarea
          id={id}
          class="parameter-input voice-note"
          rows={2}
          dir="auto"
          maxLength={voiceBounds.note}
          placeholder={l10n.t('e.g. my neighbor, who agreed by email')}
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
          {l10n.t('I have permission to use this voice')}
        </label>
        <span class="parameter-hint" id={`${id}-hint`}>
          {l10n.t('Stored on this machine. Never sent.')}{' '}
          {view.note.writtenAt !== '' && l10n.t('Edited {0}', view.note.writtenAt)}
        </span>
      </div>
    </section>
  );
}

/** Facts about the voice, and the recording it was created from. */
function AboutVoice({ session, view }: VoiceProps) {
  return (
    <section class="voice-section" aria-labelledby="voice-about">
      <h2 id="voice-about">{l10n.t('Details')}</h2>
      <dl class="voice-facts">
        <div>
          <dt>{l10n.t('Model')}</dt>
          <dd>{view.model || l10n.t('Unknown')}</dd>
        </div>
        {!view.isBuiltIn && (
          <div>
            <dt>{l10n.t('Sample transcript')}</dt>
            <dd class="voice-said" dir="auto">
              {view.text || l10n.t('Unknown')}
            </dd>
          </div>
        )}
        <div>
          <dt>{l10n.t('URI')}</dt>
          <dd class="voice-uri">
            <code dir="ltr">{view.uri}</code>
            <span class="voice-icons">
              <IconButton icon="copy" label={l10n.t('Copy URI')} onClick={() => session.do('copyUri')} />
              <IconButton
                icon="insert"
                label={l10n.t('Insert URI at Cursor')}
                onClick={() => session.do('insertUri')}
              />
            </span>
          </dd>
        </div>
        {view.sample && (
          <div>
            <dt>{l10n.t('Sample')}</dt>
            <dd>
              {view.sample.name}
              {view.sample.src === '' ? (
                <span class="voice-muted">{l10n.t('The recording is missing from {0}.', view.sample.place)}</span>
              ) : (
                <Player src={view.sample.src} label={l10n.t('Play Sample')} />
              )}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** Transcribes a recording. Where the service does not, what was transcribed before stays. */
function Transcription({ session, view }: VoiceProps) {
  return (
    <section class="voice-section" aria-labelledby="voice-transcribe">
      <h2 id="voice-transcribe">{l10n.t('Transcription')}</h2>
      {view.canTranscribe && <TranscribeForm session={session} view={view} />}
      <Notice notice={view.transcriptError} onAct={(action) => void session.ask('voice/act', { id: action })} />
      <Transcript session={session} view={view} />
    </section>
  );
}

function TranscribeForm({ session, view }: VoiceProps) {
  const { transcribing } = view;
  const id = useId();
  const chosen = session.transcriptionModel.value ?? view.transcriptionModel;
  const price = view.transcriptionPrices.find(({ model }) => model === chosen);
  return (
    <>
      <p class="voice-muted" id={`${id}-about`}>
        {l10n.t('Transcribe up to one hour and 50 MB.')}
      </p>
      <div class="parameter">
        <label class="parameter-label" for={id}>
          {l10n.t('Transcription model')}
        </label>
        <ComboBox
          id={id}
          value={chosen}
          items={view.transcriptionModels}
          words={{
            show: l10n.t('Show Models'),
            noMatch: l10n.t('No matches.'),
            placeholder: l10n.t('Select a model'),
          }}
          describedBy={`${id}-about`}
          onOpen={() => {}}
          onChange={(model) => (session.transcriptionModel.value = model)}
        />
      </div>
      <div class="voice-run">
        {transcribing === undefined ? (
          <>
            <vscode-button key="choose" appearance="secondary" onClick={() => session.transcribe()}>
              {l10n.t('Choose Recording…')}
            </vscode-button>
            {price && <LastCost cost={price} />}
          </>
        ) : (
          <>
            <vscode-button appearance="secondary" onClick={() => session.stopTranscribing()}>
              {l10n.t('Stop')}
            </vscode-button>
            <span class="voice-muted voice-progress">
              <vscode-progress-ring aria-label={l10n.t('Transcribe')} />
              {transcribing}
            </span>
          </>
        )}
      </div>
    </>
  );
}

function Transcript({ session, view: { transcript } }: VoiceProps) {
  if (!transcript) return null;
  return (
    <figure class="voice-transcript">
      <figcaption>
        {l10n.t('Transcript of {0}', transcript.name)}
        <span class="voice-muted" title={transcript.ids.join('\n')}>
          {[transcript.facts, ...(transcript.cost ? [transcript.cost.text] : [])].join(' · ')}
        </span>
      </figcaption>
      <blockquote dir="auto" tabIndex={0} aria-label={l10n.t('Transcript of {0}', transcript.name)}>
        {transcript.text || l10n.t('No speech detected.')}
      </blockquote>
      <div class="voice-links">
        <button type="button" class="link" onClick={() => session.doWithTranscript('copy')}>
          {l10n.t('Copy')}
        </button>
        <button type="button" class="link" onClick={() => session.doWithTranscript('insert')}>
          {l10n.t('Insert at Cursor')}
        </button>
        <button type="button" class="link" onClick={() => session.doWithTranscript('open')}>
          {l10n.t('Open as Document')}
        </button>
        <button type="button" class="link" onClick={() => session.doWithTranscript('dismiss')}>
          {l10n.t('Close')}
        </button>
      </div>
    </figure>
  );
}

interface TakeProps {
  readonly session: VoiceSession;
  readonly take: VoiceTake;
  readonly isNew: boolean;
}

/** A clip of the voice: to play, use and compare. */
function Take({ session, take, isNew }: TakeProps) {
  const isChosen = session.chosen.value.includes(take.id);
  return (
    <li class={isChosen ? 'voice-take voice-take-chosen' : 'voice-take'} data-take={take.id}>
      <p class="voice-take-text few-lines" dir="auto" title={take.text}>
        {take.text}
      </p>
      <Player
        src={take.src}
        label={l10n.t('Play {0}', take.text.slice(0, 60))}

        openOutside={() => session.doWithTake(take.id, 'openOutside')}
      />
      <div class="voice-take-foot">
        <p class="voice-muted voice-take-facts">
          {isNew && <span class="voice-new">{l10n.t('New')}</span>}
          <span title={[take.at, ...take.ids].join('\n')}>{take.age}</span>
          {take.facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          {take.cost && <span title={take.cost.hint}>{take.cost.text}</span>}
          {take.settings.map(({ name, value }) => (
            <span key={name}>
              {name} {value}
            </span>
          ))}
        </p>
        <Actions session={session} take={take} isChosen={isChosen} />
      </div>
    </li>
  );
}

function Actions({ session, take, isChosen }: Omit<TakeProps, 'isNew'> & { readonly isChosen: boolean }) {
  const step = (name: TakeStep) => () => session.doWithTake(take.id, name);
  const words = take.text.slice(0, 60);
  const regenerate = take.regenerate ?? l10n.t('Regenerate');
  const more = [
    { label: l10n.t('Use Text and Settings'), run: step('use') },
    { label: regenerate, run: step('again') },
    ...(session.view.value?.canTranscribe
      ? [{ label: l10n.t('Transcribe'), run: () => session.transcribe(take.id) }]
      : []),
    { label: l10n.t('Insert at Cursor…'), run: step('insert') },
    { label: l10n.t('Save As…'), run: step('saveAs') },
    { label: l10n.t('Open Containing Folder'), run: step('reveal') },
    { label: l10n.t('Show Details'), run: step('recipe') },
    { label: l10n.t('Delete…'), run: step('remove') },
  ];
  return (
    <span class="voice-take-actions">
      <label class="check voice-take-compare">
        <input
          type="checkbox"
          aria-label={l10n.t('Compare {0}', words)}
          checked={isChosen}
          onChange={({ currentTarget }) => session.choose(take.id, currentTarget.checked)}
        />
        {l10n.t('Compare')}
      </label>
      <IconButton icon="refresh" label={regenerate} onClick={step('again')} />
      <IconButton icon="save-as" label={l10n.t('Save As…')} onClick={step('saveAs')} />
      <MoreButton label={l10n.t('More Actions for {0}', words)} onOpen={(button) => session.openMenu(button, more)} />
    </span>
  );
}

interface PlayerProps {
  readonly src: string;
  readonly label: string;
  /** Absent if the sound cannot be opened in another program. */
  readonly openOutside?: () => void;
  readonly element?: Ref<HTMLAudioElement>;
}

/** Plays a local file. Before playback only its metadata is loaded, because a page may show many players. */
function Player({ src, label, openOutside, element }: PlayerProps) {
  const broken = useSignal('');
  if (src === '' || broken.value === src) {
    return (
      <span class="voice-muted">
        {l10n.t("VS Code can't play this file.")}{' '}
        {openOutside && (
          <button type="button" class="link" onClick={openOutside}>
            {l10n.t('Open Externally')}
          </button>
        )}
      </span>
    );
  }
  return (
    <audio
      class="voice-player"
      controls
      preload="metadata"
      src={src}
      aria-label={label}
      ref={element ?? null}
      onError={() => (broken.value = src)}
      onPlay={({ currentTarget }) => pauseOthers(currentTarget)}
    />
  );
}

/** Pauses all other players, so that only one plays at a time. */
function pauseOthers(playing: HTMLAudioElement): void {
  for (const other of document.querySelectorAll('audio')) if (other !== playing) other.pause();
}
