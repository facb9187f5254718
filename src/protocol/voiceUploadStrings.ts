/** The strings of the page. The page fills in `{0}` and `{1}`. */
export interface VoiceUploadStrings {
  readonly heading: string;
  readonly about: string;
  readonly reading: string;
  readonly chooseOther: string;
  readonly readAgain: string;
  readonly dropHere: string;
  readonly checks: string;
  readonly noFindings: string;
  readonly error: string;
  readonly warning: string;
  readonly hint: string;

  readonly listen: string;
  readonly drawing: string;
  /** The slider of the waveform. */
  readonly position: string;
  /** `{0}` of `{1}`. */
  readonly positionText: string;
  readonly cannotDraw: string;
  readonly cannotPlay: string;
  readonly pcmRate: string;
  readonly pcmRateUnknown: string;
  readonly pcmRateHint: string;
  /** `{0}`: hertz. */
  readonly hertz: string;

  readonly voice: string;
  readonly text: string;
  readonly textHint: string;
  readonly textPlaceholder: string;
  readonly propose: string;
  readonly proposing: string;
  readonly stopProposing: string;
  readonly proposeWith: string;
  readonly proposed: string;
  readonly undo: string;
  readonly textLong: string;
  readonly name: string;
  readonly nameHint: string;
  readonly nameColon: string;
  readonly nameLong: string;
  readonly model: string;
  readonly modelHint: string;
  readonly modelPlaceholder: string;
  readonly showModels: string;
  readonly noModels: string;
  readonly way: string;
  readonly wayFile: string;
  readonly wayFileHint: string;
  readonly wayBase64: string;
  readonly wayBase64Hint: string;

  readonly notes: string;
  readonly notesHint: string;
  readonly noteField: string;
  readonly notePlaceholder: string;
  readonly isAllowed: string;

  readonly upload: string;
  readonly cancel: string;
  readonly needsSignIn: string;
  readonly needsSample: string;
  readonly needsMending: string;
  readonly needsText: string;
  readonly needsName: string;
  readonly needsModel: string;
  readonly needsFields: string;
  /** `{0}`: the account name. */
  readonly willSend: string;
  readonly uri: string;
}
