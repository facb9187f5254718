/** The words about presets of parameters. `{0}` is the name of one. */
export interface PresetStrings {
  readonly presets: string;
  readonly choosePreset: string;
  readonly savePreset: string;
  readonly renamePreset: string;
  readonly deletePreset: string;
  readonly presetName: string;
  readonly keepPresetName: string;
  readonly presetApplied: string;
  readonly presetDeleted: string;
}
