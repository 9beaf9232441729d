/** A roastery's notes, so that a first start has something to read and to search. */
export interface Seed {
  title: string;
  text: string;
  /** Hours before now. */
  age: number;
}

export const seeds: Seed[] = [
  {
    title: "Supplier terms 2026",
    age: 0.4,
    text: `Addis Export: net 30, FOB Djibouti. They hold **lot 44** until Friday 4 December.

## Prices
- Sidama, washed: 7.10 per kg from ten bags
- Yirgacheffe lot 44: 9.40 per kg, nine bags left
- Huila: 4 % below list for three bags or more, paid on landing

## To settle
- [x] Ask for the new phytosanitary form
- [ ] Agree on a demurrage cap
- [ ] Send the signed terms to Addis`,
  },
  {
    title: "December shipment",
    age: 0.8,
    text: `Freight cut-off is **Thursday 3 December, noon**. Two pallets to Hamburg, one to Basel. Jonas picks up at the side gate, so keep the ramp clear from ten.

## Before Wednesday evening
- [x] Confirm pallet heights with the forwarder
- [x] Print lot labels for Sidama and lot 44
- [ ] Re-order green: Sidama is under 60 kg
- [ ] Pack 128 retail bags, 250 g
- [ ] Customs form for Basel, two copies

## Open with suppliers
Addis Export holds lot 44 until Friday. Huila offers 4 % below list for three bags or more, paid on landing. See Supplier terms 2026.`,
  },
  {
    title: "Cupping: Yirgacheffe lot 44",
    age: 44,
    text: `**86.5**, jasmine, lemon peel, clean finish. Mira has it at 87.

## Table
- Dry: jasmine, honey
- Break: lemon peel, bergamot
- Cup at 60 °C: white peach, black tea
- Cold: still clean, a little drier

Take all nine bags. Roast it light and fast; it loses the flower after 10:00.`,
  },
  {
    title: "Drum maintenance log",
    age: 140,
    text: `Bearing grease, next at 400 h. Drum runs at 62 rpm, measured.

- [x] Clean the chaff collector
- [x] Tighten the belt, 6 mm of play
- [ ] Order the front seal, part 22-118
- [ ] Replace bean probe before Christmas`,
  },
  {
    title: "Café Brücke standing order",
    age: 212,
    text: `12 kg house, 4 kg filter, weekly, on the Tuesday round. Invoice monthly to Frau Anders.

They think of 16 kg house from January. Hold the price until March.`,
  },
  {
    title: "Decaf trial, Swiss Water",
    age: 290,
    text: `Second crack comes 20 s early. Drop at 199 °C, not 203 °C.

- Batch 1: flat, bread
- Batch 2: better, cocoa, dates
- Batch 3: keep this one. Charge 178 °C, first crack 8:40, drop 9:55`,
  },
  {
    title: "Label printer, new profile",
    age: 430,
    text: `Offset 1.5 mm left, darkness 14, speed 3. The roll with the blue core needs darkness 16.

Lot labels carry lot, roast date and the drum's initials.`,
  },
  {
    title: "Roast curve notes",
    age: 510,
    text: `RoR flat after 7:30 with the new fan. Open the damper to 60 % at yellow, to 80 % at first crack.

## House
Charge 185 °C, turning point 1:20 at 92 °C, first crack 9:05, drop 10:40 at 211 °C.

## Filter
Charge 190 °C, first crack 8:10, drop 9:45 at 204 °C. Never let RoR rise after first crack.`,
  },
  {
    title: "Green storage",
    age: 650,
    text: `Move Sidama bags off the floor. 58 % humidity in the back, 52 % at the door.

- [x] Pallets under everything
- [ ] Second hygrometer
- [ ] Sign for the side gate`,
  },
  {
    title: "Tasting on Saturday 12 December",
    age: 700,
    text: `Three filters, one decaf, at 11 and at 15. Twelve seats each.

- [ ] Ask Mira to pour
- [ ] Water: 80 mg/l, the shop's tap is at 240
- [ ] Spoons from Café Brücke`,
  },
  {
    title: "Year-end stock count",
    age: 820,
    text: `Count green by bag, roasted by kilo, packaging by roll. Start with the high shelf.

Labels left on the roll: 42. Retail bags, 250 g: 128. Cartons: 31.`,
  },
  {
    title: "Website texts",
    age: 960,
    text: `Say what it tastes like first, then where it is from, then how we roast it. No "notes of".

- Yirgacheffe: "Smells of jasmine. Tastes of lemon peel and tea."
- House: "Cocoa and toast. Stands up to milk."`,
  },
];
