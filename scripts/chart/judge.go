package main

import (
	"errors"
	"fmt"
	"slices"

	keda "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"
)

// kinds are the objects that the chart may have, each as the type that the server
// reads it into.
func kinds(kind string) any {
	switch kind {
	case "apps/v1 Deployment":
		return &apps.Deployment{}
	case "apps/v1 StatefulSet":
		return &apps.StatefulSet{}
	case "batch/v1 Job":
		return &batch.Job{}
	case "batch/v1 CronJob":
		return &batch.CronJob{}
	case "v1 Service":
		return &core.Service{}
	case "v1 PersistentVolumeClaim":
		return &core.PersistentVolumeClaim{}
	case "networking.k8s.io/v1 Ingress":
		return &networking.Ingress{}
	case "networking.k8s.io/v1 NetworkPolicy":
		return &networking.NetworkPolicy{}
	case "policy/v1 PodDisruptionBudget":
		return &policy.PodDisruptionBudget{}
	case "autoscaling/v2 HorizontalPodAutoscaler":
		return &autoscaling.HorizontalPodAutoscaler{}
	case "keda.sh/v1alpha1 ScaledObject":
		return &keda.ScaledObject{}
	}
	return nil
}

// head is what every object has.
type head struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
}

// judge reads an object strictly: a field that its type does not have, or has twice,
// is a fault, and so is what the server would refuse of names and pods.
func judge(text []byte) error {
	var h head
	if err := yaml.Unmarshal(text, &h); err != nil {
		return err
	}
	object := kinds(h.APIVersion + " " + h.Kind)
	if object == nil {
		return fmt.Errorf("%s %s is no kind that this chart has", h.APIVersion, h.Kind)
	}
	if err := yaml.UnmarshalStrict(text, object); err != nil {
		return fmt.Errorf("%s %s: %w", h.Kind, h.Metadata.Name, err)
	}
	var faults []error
	for _, why := range validation.IsDNS1123Label(h.Metadata.Name) {
		faults = append(faults, errors.New(why))
	}
	switch o := object.(type) {
	case *apps.Deployment:
		faults = append(faults, judgePods(o.Spec.Selector.MatchLabels, o.Spec.Template))
	case *apps.StatefulSet:
		faults = append(faults, judgePods(o.Spec.Selector.MatchLabels, o.Spec.Template))
	case *batch.Job:
		faults = append(faults, judgePods(nil, o.Spec.Template))
	case *batch.CronJob:
		faults = append(faults, judgePods(nil, o.Spec.JobTemplate.Spec.Template))
	case *keda.ScaledObject:
		faults = append(faults, keda.CheckReplicaCountBoundsAreValid(o), keda.CheckFallbackValid(o), keda.ValidateTriggers(o.Spec.Triggers))
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("%s %s: %w", h.Kind, h.Metadata.Name, err)
	}
	return nil
}

// judgePods holds that a pod is one of its owner, that what it mounts and names is
// there once, and that it may do no more than it must.
func judgePods(owner map[string]string, pod core.PodTemplateSpec) error {
	var faults []error
	for key, value := range owner {
		if pod.Labels[key] != value {
			faults = append(faults, fmt.Errorf("its pods are not its own: %s is %q", key, pod.Labels[key]))
		}
	}
	volumes := map[string]bool{"data": true} // a claim of a StatefulSet
	for _, v := range pod.Spec.Volumes {
		volumes[v.Name] = true
	}
	if s := pod.Spec.SecurityContext; s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.SeccompProfile == nil {
		faults = append(faults, errors.New("its pods may be root"))
	}
	if pod.Spec.AutomountServiceAccountToken == nil || *pod.Spec.AutomountServiceAccountToken {
		faults = append(faults, errors.New("its pods have a token of the cluster"))
	}
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		s := c.SecurityContext
		if s == nil || s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation ||
			s.Capabilities == nil || len(s.Capabilities.Drop) != 1 || s.Capabilities.Drop[0] != "ALL" {
			faults = append(faults, fmt.Errorf("%s is not hardened", c.Name))
		}
		if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Memory().IsZero() {
			faults = append(faults, fmt.Errorf("%s has no bound on its memory", c.Name))
		}
		names := map[string]bool{}
		for _, e := range c.Env {
			if names[e.Name] {
				faults = append(faults, fmt.Errorf("%s has %s twice", c.Name, e.Name))
			}
			names[e.Name] = true
		}
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				faults = append(faults, fmt.Errorf("%s mounts %s, which is not there", c.Name, m.Name))
			}
		}
	}
	return errors.Join(faults...)
}
