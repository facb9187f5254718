import * as l10n from '@vscode/l10n';
import { useId } from 'preact/hooks';
import { IconButton } from '../../components/iconButton';
import { imageOf } from './form';
import { FieldNote } from '../../components/parameter';
import type { VideosSession } from './session';

/** The first frame of a video: an image that is chosen, dropped or pasted, with a hint on how the model uses it. */
export function ImageField({ session }: { readonly session: VideosSession }) {
  const id = useId();
  const form = session.typed.form.value;
  const models = session.page.value?.models ?? [];
  const kind = imageOf(form.model, models);
  const hint = {
    needed: l10n.t('The video begins with it. This model needs one.'),
    refused: l10n.t('This model makes videos from text alone.'),
    unknown: l10n.t('Only for models that make a video of a picture.'),
  };
  const other = form.picture && kind === 'refused' ? models.find(({ picture }) => picture === 'needed') : undefined;
  return (
    <div class={`video-field video-picture video-picture-${kind}`} role="group" aria-labelledby={id}>
      <span class="video-picture-head">
        <span id={id}>{l10n.t('First picture')}</span>
        <span class="videos-muted">{form.picture ? '' : hint[kind]}</span>
      </span>
      {form.picture ? <Given session={session} /> : <Empty session={session} />}
      <FieldNote id={`${id}-issue`} issue={session.typed.issues.value.picture} />
      {other && (
        <button type="button" class="link" onClick={() => session.typed.edit({ model: other.id })}>
          {l10n.t('Use {0}', other.id)}
        </button>
      )}
    </div>
  );
}

function Empty({ session }: { readonly session: VideosSession }) {
  if (session.isReadingPicture.value)
    return <p class="video-picture-empty videos-muted">{l10n.t('Reading the picture')}</p>;
  return (
    <p class="video-picture-empty">
      <button type="button" class="link" onClick={() => void session.choosePicture()}>
        {l10n.t('Choose a picture…')}
      </button>
      <span class="videos-muted">{l10n.t('Drop or paste one here. From the Explorer, hold Shift.')}</span>
    </p>
  );
}

function Given({ session }: { readonly session: VideosSession }) {
  const { picture: ref } = session.typed.form.value;
  const known = session.picture.value;
  const picture = known?.ref === ref ? known : undefined;
  return (
    <div class="video-picture-given">
      {picture && <img class="video-picture-image" src={picture.uri} alt={l10n.t('First picture')} />}
      <span class="videos-muted">{picture ? picture.facts : l10n.t('The picture is not kept here any more.')}</span>
      <IconButton icon="close" label={l10n.t('Remove the picture')} onClick={() => session.removePicture()} />
    </div>
  );
}
