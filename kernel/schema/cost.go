package schema

import "neutron/kernel/limit"

// cost is the static cost of the whole schema: the size of the tree that it
// unfolds to when every reference is followed once on each path. It is judged
// before the validator compiles anything.
func (g *guarded) cost() (int, error) {
	seen := make(map[*node]mark, len(g.byPlace))
	for at, n := range g.byPlace { // also definitions that nothing uses: they are compiled all the same
		if loops(n, seen) {
			return 0, refuse(at, "refers to itself without going deeper into the value")
		}
	}
	total := unfold(g.root)
	if total > limit.SchemaCost {
		return 0, refuse("", "is too complex: it unfolds to more steps than are allowed")
	}
	return total, nil
}

// mark is how far the search for loops has come with a node.
type mark int

const (
	fresh mark = iota
	onPath
	cleared
)

// loops reports whether a path over subschemas for the same value leads back to
// a node on it: such a schema would be judged for ever.
func loops(n *node, seen map[*node]mark) bool {
	switch seen[n] {
	case onPath:
		return true
	case cleared:
		return false
	}
	seen[n] = onPath
	for _, child := range n.same {
		if loops(child, seen) {
			return true
		}
	}
	if n.target != nil && loops(n.target, seen) {
		return true
	}
	seen[n] = cleared
	return false
}

// unfold sums a node and all below it, saturating above the cap. A reference
// back to a node that is being summed costs one step: it goes deeper into the
// value, and the meter bounds that.
func unfold(n *node) int {
	if n.total > 0 {
		return n.total
	}
	n.busy = true
	total := n.weight
	add := func(child *node) {
		if child.busy {
			total++
		} else {
			total += unfold(child)
		}
		total = min(total, limit.SchemaCost+1)
	}
	for _, child := range n.same {
		add(child)
	}
	for _, child := range n.parts {
		add(child)
	}
	if n.target != nil {
		add(n.target)
	}
	n.busy = false
	n.total = total
	return total
}
