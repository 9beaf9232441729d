// Command icon draws the mark: a ring, and three quarks in it, one filled. Run it
// from the repository's root: go run ./build/icon
//
// It writes build/appicon.png, which wails build and the desktop entry use, and the
// window's own icon.
package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
)

const (
	grain = 4  // samples of one pixel in each direction
	unit  = 16 // the mark is drawn on a grid of 16
)

// circle is a disc or a ring on the grid.
type circle struct{ x, y, radius, stroke float64 } // stroke 0: filled

var mark = []circle{
	{8, 8, 5.1, 1.05},
	{8, 5.95, 1.15, 0},
	{6.1, 9.2, 0.86, 0.66},
	{9.9, 9.2, 0.86, 0.66},
}

var (
	ground = color.NRGBA{0x17, 0x18, 0x1b, 0xff}
	ink    = color.NRGBA{0xff, 0xff, 0xff, 0xff}
)

// corner is the radius of the ground's corners on the grid, margin its distance from the edge.
const (
	corner = 3.4
	margin = 0.5
)

func onGround(x, y float64) bool {
	half := float64(unit)/2 - margin
	dx := math.Max(math.Abs(x-unit/2)-(half-corner), 0)
	dy := math.Max(math.Abs(y-unit/2)-(half-corner), 0)
	return math.Hypot(dx, dy) <= corner
}

func onMark(x, y float64) bool {
	for _, c := range mark {
		d := math.Hypot(x-c.x, y-c.y)
		if c.stroke == 0 && d <= c.radius || c.stroke > 0 && math.Abs(d-c.radius) <= c.stroke/2 {
			return true
		}
	}
	return false
}

func draw(size int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for py := range size {
		for px := range size {
			var covered, inked float64
			for s := range grain * grain {
				x := (float64(px) + (float64(s%grain)+0.5)/grain) * unit / float64(size)
				y := (float64(py) + (float64(s/grain)+0.5)/grain) * unit / float64(size)
				if onGround(x, y) {
					covered++
					if onMark(x, y) {
						inked++
					}
				}
			}
			if covered > 0 {
				img.SetNRGBA(px, py, mix(inked/covered, covered/(grain*grain)))
			}
		}
	}
	return img
}

func mix(share, alpha float64) color.NRGBA {
	at := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*share)) }
	return color.NRGBA{at(ground.R, ink.R), at(ground.G, ink.G), at(ground.B, ink.B), uint8(math.Round(alpha * 255))}
}

func main() {
	for file, size := range map[string]int{"build/appicon.png": 512, "app/window/icon.png": 64} {
		if err := write(file, size); err != nil {
			fmt.Fprintln(os.Stderr, "icon:", err)
			os.Exit(1)
		}
	}
}

func write(file string, size int) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, draw(size)); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
