import * as l10n from '@vscode/l10n';
import { useId, useRef } from 'preact/hooks';
import { ModelBox } from '../../components/modelBox';
import { isSendKey, ignoreHeldEnter, isFirstClick } from '../../components/sendOnce';
import { FieldNote } from '../../components/parameter';
import type { VideosSession } from './session';
import { type Obstacle, imageOf } from './form';
import { IconButton } from '../../components/iconButton';
import { randomSeed } from '../randomSeed';
import { videoSizes } from '../../../src/protocol/videoForm';
import type { VideoSize } from '../../../src/protocol/videos';
import { LastCost } from '../../components/lastCost';
import { useFocusAtStart } from '../../components/focus';

/** The form for generating a video. Ctrl or Cmd with Enter submits it from any field. */
export function VideoFields({ session }: { readonly session: VideosSession }) {
  const { prompt, negativePrompt } = session.typed.form.value;
  return (
    <form
      class="video-form"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (!isSendKey(event)) return;
        event.preventDefault();
        void session.submit();
      }}
    >
      <Words
        name={l10n.t('Prompt')}
        placeholder={l10n.t('A sailboat passes the lighthouse, slow pan to the left')}
        value={prompt}
        rows={4}
        isFirst
        issue={session.typed.answer.value.prompt}
        onChange={(value) => session.typed.edit({ prompt: value })}
      />
      <Words
        name={l10n.t('Negative prompt')}
        placeholder={l10n.t('Blur, text, watermarks')}
        value={negativePrompt}
        rows={1}
        onChange={(value) => session.typed.edit({ negativePrompt: value })}
      />
      <Model session={session} />
      <ImageField session={session} />
      <div class="video-pair">
        <SizeField session={session} />
        <SeedField session={session} />
      </div>
      <SubmitBar session={session} />
    </form>
  );
}

interface WordsProps {
  readonly name: string;
  readonly placeholder: string;
  readonly value: string;
  readonly rows: number;
  readonly isFirst?: boolean;
  readonly issue?: string | undefined;
  readonly onChange: (value: string) => void;
}

function Words({ name, placeholder, value, rows, isFirst = false, issue, onChange }: WordsProps) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  useFocusAtStart(box, isFirst);
  return (
    <div class="video-field">
      <label for={id}>{name}</label>
      <textarea
        ref={box}
        id={id}
        class="video-text"
        dir="auto"
        rows={rows}
        placeholder={placeholder}
        aria-invalid={issue !== undefined}
        aria-describedby={`${id}-issue`}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <FieldNote id={`${id}-issue`} issue={issue} />
    </div>
  );
}

function Model({ session }: { readonly session: VideosSession }) {
  const id = useId();
  const page = session.page.value;
  const { model } = session.typed.form.value;
  const kinds = { needed: l10n.t('Image to video'), refused: l10n.t('Text to video'), unknown: '' };
  return (
    <div class="video-field" title={model}>
      <label for={id}>{l10n.t('Model')}</label>
      <ModelBox
        id={id}
        value={model}
        models={page?.models.map((one) => ({ id: one.id, detail: kinds[one.picture] }))}
        isLoading={page?.modelsAreLoading === true}
        focusRequests={session.focusRequests.value}
        describedBy={`${id}-issue`}
        onChange={(value) => session.typed.edit({ model: value })}
      />
      <FieldNote id={`${id}-issue`} issue={session.typed.answer.value.model} />
    </div>
  );
}

function SeedField({ session }: { readonly session: VideosSession }) {
  const id = useId();
  const { seed } = session.typed.form.value;
  const issue = session.typed.answer.value.seed;
  const edit = (value: string) => session.typed.edit({ seed: value });
  return (
    <div class="video-field video-seed" title={l10n.t('The same seed and prompt give a similar video.')}>
      <label for={id}>{l10n.t('Seed')}</label>
      <div class="video-box">
        <input
          id={id}
          type="text"
          inputmode="numeric"
          autocomplete="off"
          spellcheck={false}
          placeholder={l10n.t('Random')}
          aria-invalid={issue !== undefined}
          aria-describedby={`${id}-issue`}
          value={seed}
          onInput={({ currentTarget }) => edit(currentTarget.value)}
        />
        {seed !== '' && <IconButton icon="close" label={l10n.t('Use Random Seed')} onClick={() => edit('')} />}
        <IconButton
          icon="refresh"
          label={l10n.t('Generate Random Seed')}
          onClick={() => edit(randomSeed(Math.random()))}
        />
      </div>
      <FieldNote id={`${id}-issue`} issue={issue} />
    </div>
  );
}

/** The available sizes, as shapes. The arrow keys move between them. */
function SizeField({ session }: { readonly session: VideosSession }) {
  const chosen = session.typed.form.value.size;
  const names: Readonly<Record<VideoSize, string>> = {
    '1280x720': l10n.t('Landscape'),
    '720x1280': l10n.t('Portrait'),
    '960x960': l10n.t('Square'),
  };
  return (
    <fieldset class="video-field video-sizes">
      <legend>{l10n.t('Size')}</legend>
      <div class="video-size-list">
        {videoSizes.map((size) => (
          <label class="video-size" key={size} title={names[size]}>
            <input
              type="radio"
              name="size"
              class="spoken"
              value={size}
              checked={size === chosen}
              onChange={() => session.typed.edit({ size })}
            />
            <span class="video-shape-room" aria-hidden="true">
              <span class={`video-shape video-shape-${size}`} />
            </span>
            <span class="spoken">{names[size]} </span>
            <span class="video-size-name">{size.replace('x', ' × ')}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function obstacleText(obstacle: Obstacle): string {
  switch (obstacle) {
    case 'loading':
      return l10n.t('Loading…');
    // The notice says it.
    case 'notOffered':
      return '';
    case 'needsSignIn':
      return l10n.t('Sign in to generate videos.');
    case 'needsPrompt':
      return l10n.t('Enter a prompt.');
    case 'needsModel':
      return l10n.t('Select a model.');
    case 'needsMending':
      return l10n.t('Fix the highlighted fields.');
  }
}

/** The Generate button, which is Stop while a request is being sent; beside it the progress, or the obstacle. */
function SubmitBar({ session }: { readonly session: VideosSession }) {
  const sending = session.sending.value;
  const obstacle = session.obstacle.value;
  const cost = session.page.value?.costs.find(({ model }) => model === session.typed.form.value.model);
  const isSignedOut = obstacle === 'needsSignIn';
  const canSubmit = obstacle === undefined && !sending && !session.isReadingPicture.value;
  return (
    <div class="video-submit">
      {sending ? (
        <vscode-button key="stop" appearance="secondary" onClick={() => session.stop()}>
          {l10n.t('Stop')}
        </vscode-button>
      ) : (
        <vscode-button
          key="submit"
          appearance="primary"
          title={/mac/i.test(navigator.userAgent) ? l10n.t('Generate (Cmd+Enter)') : l10n.t('Generate (Ctrl+Enter)')}
          aria-describedby="submit-about"
          disabled={!canSubmit}
          onKeyDown={ignoreHeldEnter}
          onClick={(event: MouseEvent) => canSubmit && isFirstClick(event) && void session.submit()}
        >
          {l10n.t('Generate')}
        </vscode-button>
      )}
      <span class="videos-muted" id="submit-about">
        {sending ? sending.text || l10n.t('Submitting…') : (obstacle && obstacleText(obstacle)) || session.done.value}
        {cost && !sending && <LastCost cost={cost} />}
      </span>
      {isSignedOut && (
        <button type="button" class="link" onClick={() => session.act('signIn')}>
          {l10n.t('Sign In')}
        </button>
      )}
    </div>
  );
}

/** The first frame of a video: an image that is chosen, dropped or pasted, with a hint on how the model uses it. */
function ImageField({ session }: { readonly session: VideosSession }) {
  const id = useId();
  const form = session.typed.form.value;
  const models = session.page.value?.models ?? [];
  const kind = imageOf(form.model, models);
  const hint = {
    needed: l10n.t('Required by this model.'),
    refused: l10n.t('Not supported by this model.'),
    unknown: l10n.t('Only for image-to-video models.'),
  };
  const other = form.picture && kind === 'refused' ? models.find(({ picture }) => picture === 'needed') : undefined;
  return (
    <div class={`video-field video-picture video-picture-${kind}`} role="group" aria-labelledby={id}>
      <span class="video-picture-head">
        <span id={id}>{l10n.t('First frame')}</span>
        <span class="videos-muted">{form.picture ? '' : hint[kind]}</span>
      </span>
      {form.picture ? <ProvidedImage session={session} /> : <Empty session={session} />}
      <FieldNote id={`${id}-issue`} issue={session.typed.answer.value.picture} />
      {other && (
        <button type="button" class="link" onClick={() => session.typed.edit({ model: other.id })}>
          {l10n.t('Use {0}', other.id)}
        </button>
      )}
    </div>
  );
}

function Empty({ session }: { readonly session: VideosSession }) {
  if (session.isReadingPicture.value) return <p class="video-picture-empty videos-muted">{l10n.t('Loading…')}</p>;
  return (
    <p class="video-picture-empty">
      <button type="button" class="link" onClick={() => void session.choosePicture()}>
        {l10n.t('Choose an Image…')}
      </button>
      <span class="videos-muted">{l10n.t('Drop or paste an image. Hold Shift to drop from the Explorer.')}</span>
    </p>
  );
}

function ProvidedImage({ session }: { readonly session: VideosSession }) {
  const { picture: ref } = session.typed.form.value;
  const known = session.picture.value;
  const picture = known?.ref === ref ? known : undefined;
  return (
    <div class="video-picture-given">
      {picture && <img class="video-picture-image" src={picture.uri} alt={l10n.t('First frame')} />}
      <span class="videos-muted">{picture ? picture.facts : l10n.t('Image no longer saved on this machine.')}</span>
      <IconButton icon="close" label={l10n.t('Remove Image')} onClick={() => session.removePicture()} />
    </div>
  );
}
