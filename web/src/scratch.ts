const SECONDS = 0.16;
const LOUD = 0.12;
/** The pencil goes there and back: where its two strokes begin and how long they take, in seconds. */
const STROKES = [
  [0, 0.07],
  [0.08, 0.06],
] as const;

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

function paper(audio: AudioContext): AudioBuffer {
  const made = audio.createBuffer(1, Math.ceil(audio.sampleRate * SECONDS), audio.sampleRate);
  const samples = made.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return made;
}

/** A soft pencil on paper: noise through a narrow band, in two short strokes. */
export function scratch(): void {
  const audio = (context ??= new AudioContext());
  // Browsers let a page sound only after somebody has pressed something in it; until then nothing is heard.
  if (audio.state === "suspended") void audio.resume();
  const source = audio.createBufferSource();
  source.buffer = noise ??= paper(audio);
  const band = audio.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = 3200;
  band.Q.value = 0.8;
  const loudness = audio.createGain();
  const now = audio.currentTime;
  loudness.gain.setValueAtTime(0, now);
  for (const [at, long] of STROKES) {
    loudness.gain.linearRampToValueAtTime(LOUD, now + at + 0.01);
    loudness.gain.linearRampToValueAtTime(0, now + at + long);
  }
  source.connect(band).connect(loudness).connect(audio.destination);
  source.start();
}
